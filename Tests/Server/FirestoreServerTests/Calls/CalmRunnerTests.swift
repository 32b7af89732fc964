// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreServer

/// Which work runs on the thread on which it comes up. With a manual clock.
struct CalmRunnerTests {
    private final class Bench: Sendable {
        private final class Time: Sendable {
            private let nanoseconds = Mutex<UInt64>(1_000_000_000_000)
            var value: UInt64 { nanoseconds.withLock { $0 } }
            func pass(_ more: UInt64) { nanoseconds.withLock { $0 += more } }
        }

        private let time: Time
        let runner: CalmRunner

        init() {
            let time = Time()
            self.time = time
            runner = CalmRunner { time.value }
        }

        /// Work that comes so long after the one before and takes so long: whether it was run immediately.
        func runs(after pause: UInt64, taking duration: UInt64 = 0, _ body: () -> Void = {}) -> Bool {
            time.pass(pause)
            var hasRun = false
            let isDone = runner.run {
                hasRun = true
                body()
                time.pass(duration)
            }
            #expect(hasRun == isDone)
            return isDone
        }
    }

    private static let alone = InlineGate.gap + 1

    @Test func `work that comes alone runs immediately, work right behind it does not`() {
        let bench = Bench()
        #expect(bench.runs(after: Self.alone))
        #expect(!bench.runs(after: InlineGate.gap))
        #expect(!bench.runs(after: 0))
        #expect(bench.runs(after: Self.alone))
    }

    @Test func `after slow work nothing runs immediately for a while`() {
        let bench = Bench()
        #expect(bench.runs(after: Self.alone, taking: InlineGate.quick))
        #expect(bench.runs(after: Self.alone, taking: InlineGate.quick + 1))
        #expect(!bench.runs(after: Self.alone))
        #expect(!bench.runs(after: InlineGate.caution - 2 * Self.alone))
        #expect(bench.runs(after: 2 * Self.alone))
    }

    @Test func `work that comes while other work runs has to run elsewhere`() {
        let bench = Bench()
        var inner: Bool?
        let outer = bench.runs(after: Self.alone) { inner = bench.runs(after: Self.alone) }
        #expect(outer)
        #expect(inner == false)
        #expect(bench.runs(after: Self.alone))
    }
}
