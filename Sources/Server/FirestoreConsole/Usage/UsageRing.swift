// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore

/// The samples of the last minutes, for a console that is opened now, and for those that are open.
final class UsageRing: Sendable {
    static let interval = Duration.seconds(2)
    /// A quarter of an hour.
    static let most = 450

    private struct State {
        /// As JSON, oldest first.
        var samples: [JSON] = []
        var listeners: [UInt64: @Sendable (JSON) -> Void] = [:]
        var lastListener: UInt64 = 0
        var timer: (any DispatchSourceTimer)?
    }

    private let clock: any WallClock
    private let sample: @Sendable () -> UsageSample?
    private let state = Mutex(State())

    /// - Parameter sample: Takes the numbers; nil if there are none.
    init(clock: any WallClock = SystemClock(), sample: @escaping @Sendable () -> UsageSample?) {
        self.clock = clock
        self.sample = sample
    }

    deinit { state.withLock { $0.timer }?.cancel() }

    func start(every interval: Duration) { state.withLock { $0.timer = makeTimer(interval) } }

    private func makeTimer(_ interval: Duration) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        let step = DispatchTimeInterval.milliseconds(Int(interval / .milliseconds(1)))
        timer.schedule(deadline: .now() + step, repeating: step, leeway: .milliseconds(100))
        timer.setEventHandler { [weak self] in self?.tick() }
        timer.resume()
        return timer
    }

    func stop() {
        state.withLock { state in
            state.timer?.cancel()
            state.timer = nil
        }
    }

    /// Takes a sample, and sends it to listeners.
    func tick() {
        guard let json = sample()?.json(at: clock.now()) else { return }
        let listeners = state.withLock { state in
            if state.samples.count >= Self.most { state.samples.removeFirst(state.samples.count - Self.most + 1) }
            state.samples.append(json)
            return Array(state.listeners.values)
        }
        for listener in listeners { listener(json) }
    }

    /// `{"samples": […]}`, at least the present one.
    var json: JSON {
        if state.withLock({ $0.samples.isEmpty }) { tick() }
        return .object([("samples", .array(state.withLock { $0.samples }))])
    }

    /// Calls `body` with every sample to come, until the returned closure is called.
    func listen(_ body: @escaping @Sendable (JSON) -> Void) -> @Sendable () -> Void {
        let number = state.withLock { state in
            state.lastListener += 1
            state.listeners[state.lastListener] = body
            return state.lastListener
        }
        return { [weak self] in self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) } }
    }
}

/// The size of all databases' files, read again with every fifth question: there may be thousands of files.
final class StoredSize: Sendable {
    private struct State {
        var bytes: Int64?
        var questions = 0
    }

    private let read: @Sendable () -> Int64?
    private let state = Mutex(State())

    init(_ read: @escaping @Sendable () -> Int64?) { self.read = read }

    var bytes: Int64? {
        let isDue = state.withLock { state in
            defer { state.questions += 1 }
            return state.questions % 5 == 0
        }
        guard isDue else { return state.withLock { $0.bytes } }
        let bytes = read()
        state.withLock { $0.bytes = bytes }
        return bytes
    }
}
