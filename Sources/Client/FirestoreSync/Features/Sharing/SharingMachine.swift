// SPDX-License-Identifier: Apache-2.0

/// Decides which part a process has among those that share a cache (SY-D14 … SY-D16): one of them leads and has the streams, the others
/// follow. Pure: an event returns what has to be done, in this order.
struct SharingMachine {
    enum Role {
        /// Before the start, and after the end.
        case idle
        /// Another process has the streams, or none has. `owesWants`: what this one wants of the leader could not be stored yet.
        case following(owesWants: Bool)
        case leading
    }

    enum Event: Sendable {
        case started, stopped
        /// Another process has changed something.
        case woken
        /// The leader has ended, in whatever way.
        case leaderEnded
        /// A second has passed, for what was missed.
        case ticked
        case networkDisabled, networkEnabled
        /// The user of this process or of the cache has changed.
        case userChanged
        /// This process has the lock of the leader, and the cache knows it.
        case led
        /// It publishes nothing from now on.
        case resigned
        /// Its requests to the leader are stored.
        case wantsStored
    }

    enum Action {
        case wakeOthers
        case catchUp
        /// Leads if no other process does.
        case tryToLead
        /// Shows what the leader knows, unless this process leads.
        case follow
        /// Lets another process lead.
        case resign
        /// Stores what this process wants of the leader, if that is owed.
        case storeWants
        /// Does the work of the leader for the others.
        case serveOthers
        /// Does what the leader was asked for, if there is none.
        case answerOwnRequests
        /// Adjusts what the thread waits for, and starts it.
        case watch, startWatching
        case end
    }

    private(set) var role = Role.idle
    /// Whether the network is enabled in this process.
    private var isWilling = true

    var isStarted: Bool { if case .idle = role { false } else { true } }

    var leads: Bool { if case .leading = role { true } else { false } }

    /// Whether the process may lead; `isOwnUser`: whether the cache shows its user.
    func mayLead(_ isOwnUser: Bool) -> Bool { isStarted && isWilling && isOwnUser }

    mutating func handle(_ event: Event, isOwnUser: Bool) -> [Action] {
        switch (event, role) {
        case (.started, .idle):
            role = .following(owesWants: false)
            // The leader may end before it has woken this process once.
            return [.wakeOthers, .tryToLead, .follow, .watch, .startWatching]
        case (.stopped, _):
            role = .idle
            return [.end]
        case (.networkDisabled, _): isWilling = false
        case (.networkEnabled, _): isWilling = true
        default: break
        }
        switch (event, role) {
        case (_, .idle), (.started, _), (.stopped, _): return []
        case (.woken, _): return [.catchUp, .storeWants, .answerOwnRequests, .watch]
        case (.leaderEnded, _): return [.tryToLead, .answerOwnRequests, .watch]
        case (.ticked, _): return [.catchUp, .tryToLead, .storeWants, .serveOthers, .answerOwnRequests, .watch]
        case (.networkDisabled, .leading): return [.resign]
        case (.networkDisabled, .following): return []
        case (.networkEnabled, _): return [.tryToLead, .follow]
        case (.userChanged, _): return mayLead(isOwnUser) ? [.tryToLead, .follow] : leads ? [.resign] : []
        case (.led, _): role = .leading
        case (.resigned, _): role = .following(owesWants: true)
        case (.wantsStored, .following): role = .following(owesWants: false)
        case (.wantsStored, .leading): break
        }
        return []
    }
}
