// SPDX-License-Identifier: Apache-2.0
import FirestoreClient
import FirestoreCore

/// One listener of a client: made and ended from any thread, and attached to the engine on its queue.
final class SyncRegistration: Sendable {
    enum Event: Sendable {
        case snapshot(ViewSnapshot)
        /// The first snapshot from another cache.
        case replacement(ViewSnapshot)
        case failure(FirestoreError)
    }

    private struct Wish: Sendable {
        let target: ClientTarget
        let options: SyncListener.Options
        let onEvent: @Sendable (Event) -> Void
    }

    private struct State {
        var wish: Wish?
        var hasTold = false
        var hasEnded = false
    }

    private static let last = Mutex<UInt64>(0)

    /// Ascends in the order of the calls.
    let number: UInt64
    private let runner: SyncRunner
    private let state = Mutex(State())

    init(_ runner: SyncRunner) {
        self.runner = runner
        number = Self.last.withLock { last in
            last += 1
            return last
        }
    }

    func begin(_ target: ClientTarget, _ options: SyncListener.Options, onEvent: @escaping @Sendable (Event) -> Void) {
        state.withLock { $0.wish = Wish(target: target, options: options, onEvent: onEvent) }
        runner.async({ engine in self.attach(to: engine) }, orElse: { self.fail($0) })
    }

    /// Listens to the engine. On its queue.
    func attach(to engine: SyncEngine) {
        let (wish, hasTold) = state.withLock { ($0.hasEnded ? nil : $0.wish, $0.hasTold) }
        guard let wish else { return }
        let ordering = wish.target.ordering
        var isFirst = true
        let listener = SyncListener(to: wish.target, options: wish.options) { [self] result in
            switch result {
            case .success(let snapshot):
                let view = snapshot.viewSnapshot(ordering, isFirst: isFirst)
                wish.onEvent(isFirst && hasTold ? .replacement(view) : .snapshot(view))
            case .failure(let error): wish.onEvent(.failure(error))
            }
            isFirst = false
            state.withLock { $0.hasTold = true }
        }
        runner.registrations[ObjectIdentifier(self)] = (self, listener)
        engine.listen(listener)
    }

    func fail(_ error: FirestoreError) { state.withLock { $0.hasEnded ? nil : $0.wish }?.onEvent(.failure(error)) }

    /// Ends it. Idempotent.
    func end() {
        state.withLock { $0.hasEnded = true }
        runner.async { [self] engine in
            if let listener = runner.registrations.removeValue(forKey: ObjectIdentifier(self))?.listener { engine.unlisten(listener) }
        }
    }
}
