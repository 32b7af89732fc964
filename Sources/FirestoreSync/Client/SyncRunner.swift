// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreWire

/// Runs an engine on a serial queue: calls, frames and timers enter here, one after the other (SY-19).
///
/// `@unchecked Sendable`: `engine` and `registrations` are only read and assigned by closures on `queue`, which is serial, and so
/// is everything that they refer to.
final class SyncRunner: @unchecked Sendable {
    /// How the parts of an engine are put together, on the queue.
    typealias Make = @Sendable (SyncRunner) throws(FirestoreError) -> SyncEngine

    private let queue = DispatchQueue(label: "hearth.sync", qos: .userInitiated)
    /// Set on `queue` only.
    private let isOnQueue = DispatchSpecificKey<Bool>()
    private var engine: SyncEngine?
    /// The listeners of the client. Used on the queue.
    var registrations: [ObjectIdentifier: (registration: SyncRegistration, listener: SyncListener)] = [:]

    init() { queue.setSpecific(key: isOnQueue, value: true) }

    /// Makes the engine and starts it; the calling thread waits. Returns the id of the cache.
    func start(_ make: Make) throws(FirestoreError) -> UInt64 {
        let result: Result<UInt64, FirestoreError> = queue.sync {
            Result { () throws(FirestoreError) in
                let engine = try make(self)
                self.engine = engine
                engine.start()
                return engine.store.cacheID
            }
        }
        return try result.get()
    }

    /// Runs `body` after everything that entered before. Without effect after `stop`.
    func async(_ body: @escaping @Sendable (SyncEngine) -> Void) {
        queue.async { if let engine = self.engine { body(engine) } }
    }

    /// The same, and returns when `body` has run: whoever reads frames from a network reads no faster than the engine takes them. A
    /// transport that reports from inside a call of the engine does not wait for itself.
    func enter(_ body: @escaping @Sendable (SyncEngine) -> Void) {
        if DispatchQueue.getSpecific(key: isOnQueue) == true { return async(body) }
        queue.sync { if let engine = self.engine { body(engine) } }
    }

    /// Runs `body` after a time.
    func async(after delay: Duration, _ body: @escaping @Sendable (SyncEngine) -> Void) {
        queue.asyncAfter(deadline: .now() + delay.dispatchInterval) { if let engine = self.engine { body(engine) } }
    }

    /// Runs `body` and returns its result; nil after `stop`.
    func call<R: Sendable>(_ body: @escaping @Sendable (SyncEngine) -> R) async -> R? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.engine.map(body)) }
        }
    }

    /// Puts another engine, over another store, in the place of this one; listeners go on with what the other store has. If it cannot be
    /// made, they fail.
    func replace(_ make: @escaping Make) {
        queue.async {
            guard let old = self.engine else { return }
            let isEnabled = old.isNetworkEnabled
            let listening = self.registrations.values.map(\.registration)
            self.registrations = [:]
            old.abandonCalls()
            old.shutdown()
            // Everything in it is stored; what remains open is closed with the process.
            try? old.store.close()
            self.engine = nil
            do throws(FirestoreError) {
                let engine = try make(self)
                self.engine = engine
                if !isEnabled { engine.setNetworkEnabled(false) }
                engine.start()
                for registration in listening.sorted(by: { $0.number < $1.number }) { registration.attach(to: engine) }
            } catch {
                for registration in listening { registration.fail(error) }
            }
        }
    }

    /// Ends the engine and closes its store. Returns its error, if it could not be closed.
    func stop(_ last: @escaping @Sendable (SyncEngine) -> Void = { _ in }) async -> FirestoreError? {
        await withCheckedContinuation { (continuation: CheckedContinuation<FirestoreError?, Never>) in
            queue.async {
                guard let engine = self.engine else { return continuation.resume(returning: nil) }
                last(engine)
                engine.shutdown()
                self.engine = nil
                do throws(FirestoreError) {
                    try engine.store.close()
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error)
                }
            }
        }
    }
}

/// The timers of an engine, on its queue.
final class SyncRunnerTimers: SyncTimers {
    private unowned let runner: SyncRunner
    /// The number of each running timer: a timer that was replaced finds another one.
    private var running: [SyncTimer: UInt64] = [:]
    private var last: UInt64 = 0

    init(_ runner: SyncRunner) { self.runner = runner }

    func start(_ timer: SyncTimer, after delay: Duration) {
        last += 1
        running[timer] = last
        let number = last
        runner.async(after: delay) { engine in
            guard let timers = engine.timers as? SyncRunnerTimers, timers.running[timer] == number else { return }
            timers.running[timer] = nil
            engine.fire(timer)
        }
    }

    func cancel(_ timer: SyncTimer) { running[timer] = nil }
}

extension Duration {
    fileprivate var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        // Longer than any timer of the engine, and far from an overflow.
        let whole = min(max(seconds, 0), 1_000_000_000)
        return .nanoseconds(Int(whole * 1_000_000_000 + attoseconds / 1_000_000_000))
    }
}
