// SPDX-License-Identifier: Apache-2.0

/// Actions that are decided under a lock and performed outside of it, in their order, by one thread at a time.
///
/// Keep it in the state that the lock guards. After adding actions, release the lock and perform what there is:
///
///     guard state.withLock({ $0.actions.begin() }) else { return }
///     while let actions = state.withLock({ $0.actions.next() }) {
///         for action in actions { perform(action) }
///     }
///
/// If another thread performs actions already, it performs the new ones, too, and this one does not wait.
package struct ActionQueue<Action> {
    private var waiting: [Action] = []
    private var isPerforming = false

    package init() {}

    package mutating func append(_ action: Action) { waiting.append(action) }

    /// Returns whether the caller performs the actions: there are some, and no other thread does.
    package mutating func begin() -> Bool {
        guard !isPerforming, !waiting.isEmpty else { return false }
        isPerforming = true
        return true
    }

    /// The actions to perform next, after `begin`; nil, and the turn has ended, if there are none.
    package mutating func next() -> [Action]? {
        guard !waiting.isEmpty else {
            isPerforming = false
            return nil
        }
        defer { waiting = [] }
        return waiting
    }
}
