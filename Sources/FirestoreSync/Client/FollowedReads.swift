// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The reads that the cache has answered, until the server has.
final class FollowedReads: Sendable {
    /// More are not followed: the cache then keeps what it has.
    private static let most = 100

    private let registrations = Mutex<Set<ObjectIdentifier>>([])

    func insert(_ registration: SyncRegistration) -> Bool {
        registrations.withLock { $0.count < Self.most && $0.insert(ObjectIdentifier(registration)).inserted }
    }

    func remove(_ registration: SyncRegistration) { registrations.withLock { _ = $0.remove(ObjectIdentifier(registration)) } }
}

/// Ends a read that the cache has answered when the server has answered, too.
final class Following: Sendable {
    private struct State {
        var hasStarted = false
        var isDone = false
        var end: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func take(_ event: SyncRegistration.Event) {
        switch event {
        case .snapshot(let snapshot), .replacement(let snapshot):
            if snapshot.isFromCache { return state.withLock { $0.hasStarted = true } }
        case .failure: break
        }
        let end = state.withLock { state in
            state.isDone = true
            defer { state.end = nil }
            return state.end
        }
        end?()
    }

    /// Whether the registration goes on; then it ends by itself.
    func isWanted(_ registration: SyncRegistration, in reads: FollowedReads) -> Bool {
        state.withLock { state in
            guard state.hasStarted, !state.isDone, reads.insert(registration) else { return false }
            state.end = {
                reads.remove(registration)
                registration.end()
            }
            return true
        }
    }
}
