// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore

/// The streams that last, and until when the identities of their callers hold: ends a stream when its caller's token expires or is
/// revoked (AU-12).
///
/// The claims of a stream's caller never change: a client that has a new token opens another stream.
final class LiveStreams: Sendable {
    private struct Entry {
        let identity: CallIdentity
        let end: @Sendable (FirestoreError) -> Void
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var last: UInt64 = 0
        var alarm: (time: Int64, timer: any DispatchSourceTimer)?
    }

    /// Expiries within this time are one alarm: 1 s.
    private static let step: Int64 = 1_000_000
    /// An alarm comes after at most an hour, because the clock may have been set meanwhile.
    private static let longest: Int64 = 3_600_000_000

    private let clock: any WallClock
    private let setsAlarms: Bool
    private let state = Mutex(State())

    /// - Parameter setsAlarms: Whether expiry is noticed. Otherwise it comes from calls of `endExpired`.
    init(_ authentication: any CallAuthentication, clock: any WallClock = SystemClock(), setsAlarms: Bool = true) {
        self.clock = clock
        self.setsAlarms = setsAlarms
        authentication.observe { [weak self] in self?.checkAll() }
    }

    deinit { state.withLock { $0.alarm }?.timer.cancel() }

    /// Calls `end` once, on any thread, when the identity has ended: possibly before this returns. Returns a number for `remove`.
    func add(_ identity: CallIdentity, end: @escaping @Sendable (FirestoreError) -> Void) -> UInt64 {
        let entry = Entry(identity: identity, end: end)
        let number = state.withLock { state in
            state.last += 1
            state.entries[state.last] = entry
            setAlarm(&state, at: identity.lastUse)
            return state.last
        }
        // It may have been revoked since the call was identified.
        check(number, entry)
        return number
    }

    func remove(_ number: UInt64) { state.withLock { _ = $0.entries.removeValue(forKey: number) } }

    var count: Int { state.withLock { $0.entries.count } }

    /// Identities may have ended before their time.
    private func checkAll() {
        for (number, entry) in state.withLock({ $0.entries }) { check(number, entry) }
    }

    /// Data that is not in memory, such as an account that has just changed, is read in a task: this may be an event
    /// loop, which must not wait.
    private func check(_ number: UInt64, _ entry: Entry) {
        do throws(FirestoreError) {
            guard try entry.identity.check.now() else {
                Task { await checkWaiting(number, entry) }
                return
            }
            if entry.identity.lastUse <= clock.now() { end(number, entry, .expired) }
        } catch {
            end(number, entry, error)
        }
    }

    private func checkWaiting(_ number: UInt64, _ entry: Entry) async {
        do throws(FirestoreError) {
            try await entry.identity.check.waiting()
            if entry.identity.lastUse <= clock.now() { end(number, entry, .expired) }
        } catch {
            end(number, entry, error)
        }
    }

    private func end(_ number: UInt64, _ entry: Entry, _ error: FirestoreError) {
        guard state.withLock({ $0.entries.removeValue(forKey: number) }) != nil else { return }
        entry.end(error)
    }

    /// Ends the streams of callers whose tokens have expired.
    func endExpired() {
        let now = clock.now()
        let expired = state.withLock { state in
            state.alarm = nil
            let expired = state.entries.filter { $0.value.identity.lastUse <= now }
            let next = state.entries.values.lazy.map(\.identity.lastUse).filter { $0 > now }.min()
            setAlarm(&state, at: next ?? .max)
            return expired
        }
        for (number, entry) in expired { end(number, entry, .expired) }
    }

    private func setAlarm(_ state: inout State, at time: Int64) {
        guard setsAlarms, time != .max, state.alarm.map({ $0.time > time }) ?? true else { return }
        state.alarm?.timer.cancel()
        let wait = min(max(time - clock.now(), 0) + Self.step, Self.longest)
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        timer.schedule(deadline: .now() + .microseconds(Int(wait)), leeway: .milliseconds(100))
        timer.setEventHandler { [weak self] in self?.endExpired() }
        timer.resume()
        state.alarm = (time, timer)
    }
}

extension FirestoreError {
    fileprivate static let expired = FirestoreError(
        .unauthenticated, "the token of this stream has expired; open another one with a new token")
}
