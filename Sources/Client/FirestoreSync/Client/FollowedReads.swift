// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The reads that the cache has answered, until the server has.
final class FollowedReads: Sendable {
    /// More are not followed: the cache then has what it had.
    private static let most = 100

    private let registrations = Mutex<[ObjectIdentifier: SyncRegistration]>([:])

    /// Returns whether it is followed.
    func insert(_ registration: SyncRegistration) -> Bool {
        registrations.withLock { registrations in
            guard registrations.count < Self.most else { return false }
            registrations[ObjectIdentifier(registration)] = registration
            return true
        }
    }

    func remove(_ registration: SyncRegistration) {
        registrations.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(registration)) }
    }

    func endAll() {
        let all = registrations.withLock { registrations in
            defer { registrations = [:] }
            return registrations.values
        }
        for registration in all { registration.end() }
    }
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

    /// Whether the registration continues; then it ends by itself.
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
