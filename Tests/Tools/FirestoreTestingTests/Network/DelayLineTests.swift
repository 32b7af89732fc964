// SPDX-License-Identifier: Apache-2.0
#if Remote
import Dispatch
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreTesting

/// Messages arrive later, in the order in which they were sent.
@Suite(.timeLimit(.minutes(1)))
struct DelayLineTests {
    /// Sleepers that wake when the test says so.
    private final class Alarm: Sendable {
        private let sleepers = Mutex<[Duration: CheckedContinuation<Void, Never>]>([:])

        var count: Int { sleepers.withLock { $0.count } }

        func sleep(_ duration: Duration) async {
            await withCheckedContinuation { continuation in sleepers.withLock { $0[duration] = continuation } }
        }

        func wake(_ duration: Duration) { sleepers.withLock { $0.removeValue(forKey: duration) }?.resume() }
    }

    private let alarm = Alarm()
    private let log = StreamLog<Int>()
    private let queue = DispatchQueue(label: "hearth.tests.delays")

    private func line() -> DelayLine<Int> { DelayLine(sleep: alarm.sleep) { [log] in log.note($0) } }

    @Test func `without a delay messages arrive immediately`() {
        let line = line()
        for number in 1...3 { line.put(number, after: .zero) }
        #expect(log.responses == [1, 2, 3])
    }

    @Test func `messages arrive in order, whatever their delays`() async {
        let line = line()
        line.put(1, after: .seconds(2))
        line.put(2, after: .seconds(1))
        line.put(3, after: .zero)
        await eventually("both wait") { alarm.count == 2 }
        alarm.wake(.seconds(1))
        #expect(log.responses == [])
        alarm.wake(.seconds(2))
        await eventually("all arrive") { log.responses == [1, 2, 3] }
    }

    @Test func `at an end messages in flight are dropped, and nothing follows`() async {
        let line = line()
        line.put(1, after: .seconds(1))
        await eventually("it waits") { alarm.count == 1 }
        line.end(with: 9, on: queue)
        line.end(with: 8, on: queue)
        line.put(2, after: .zero)
        await eventually("the last one arrives") { log.responses == [9] }
        alarm.wake(.seconds(1))
        queue.sync {}
        #expect(log.responses == [9])
    }
}
#endif
