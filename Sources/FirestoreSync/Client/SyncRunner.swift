// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreWire

/// Runs an engine on a serial queue: calls, frames and timers enter here, one after the other (SY-19).
///
/// `@unchecked Sendable`: `engine`, `replacement` and `registrations` are only read and assigned by closures on `queue`, which is
/// serial, and so is everything that they refer to.
final class SyncRunner: @unchecked Sendable {
    /// How the parts of an engine are put together, on the queue.
    typealias Make = @Sendable (SyncRunner) throws(FirestoreError) -> SyncEngine

    private let queue = DispatchQueue(label: "hearth.sync", qos: .userInitiated)
    /// Set on `queue` only.
    private let isOnQueue = DispatchSpecificKey<Bool>()
    private var engine: SyncEngine?
    /// What the engine is to be replaced with, since that has failed. Each call of the app tries it again.
    private var replacement: (make: Make, isNetworkEnabled: Bool)?
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

    /// The same for a call that must be answered: with the reason why there is no engine, if there is none.
    func async(_ body: @escaping @Sendable (SyncEngine) -> Void, orElse: @escaping @Sendable (FirestoreError) -> Void) {
        queue.async {
            switch self.present() {
            case .success(let engine): body(engine)
            case .failure(let error): orElse(error)
            }
        }
    }

    /// The same, after a time.
    func async(after delay: Duration, _ body: @escaping @Sendable (SyncEngine) -> Void) {
        queue.asyncAfter(deadline: .now() + delay.dispatchInterval) { if let engine = self.engine { body(engine) } }
    }

    /// Runs `body` and returns its result.
    func call<R: Sendable>(
        _ body: @escaping @Sendable (SyncEngine) throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        let result: Result<R, FirestoreError> = await withCheckedContinuation { continuation in
            async(
                { engine in continuation.resume(returning: Result { () throws(FirestoreError) in try body(engine) }) },
                orElse: { continuation.resume(returning: .failure($0)) })
        }
        return try result.get()
    }

    /// The engine; if it could not be replaced, it is tried again.
    private func present() -> Result<SyncEngine, FirestoreError> {
        if let engine { return .success(engine) }
        guard let replacement else { return .failure(SyncClient.terminated) }
        return Result { () throws(FirestoreError) in try begin(replacement.make, isNetworkEnabled: replacement.isNetworkEnabled) }
    }

    private func begin(_ make: Make, isNetworkEnabled: Bool) throws(FirestoreError) -> SyncEngine {
        let engine = try make(self)
        self.engine = engine
        replacement = nil
        if !isNetworkEnabled { engine.setNetworkEnabled(false) }
        engine.start()
        return engine
    }

    /// Puts another engine, over another store, in the place of this one; listeners go on with what the other store has. If it cannot be
    /// made, they fail, and so does every call until it can be made.
    func replace(_ make: @escaping Make) {
        queue.async {
            if let replacement = self.replacement { self.replacement = (make, replacement.isNetworkEnabled) }
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
                let engine = try self.begin(make, isNetworkEnabled: isEnabled)
                for registration in listening.sorted(by: { $0.number < $1.number }) { registration.attach(to: engine) }
            } catch {
                self.replacement = (make, isEnabled)
                for registration in listening { registration.fail(error) }
            }
        }
    }

    /// Ends the engine and closes its store. Returns its error, if it could not be closed.
    func stop(_ last: @escaping @Sendable (SyncEngine) -> Void = { _ in }) async -> FirestoreError? {
        await withCheckedContinuation { (continuation: CheckedContinuation<FirestoreError?, Never>) in
            queue.async {
                self.replacement = nil
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
