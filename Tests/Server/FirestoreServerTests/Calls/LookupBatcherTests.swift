// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import Foundation
import Testing

@testable import FirestoreServer

/// Which thread runs a piece of work: the submitting one, or another. With a manual clock.
struct LookupBatcherTests {
    private final class Bench: Sendable {
        private let time: Time
        let worker: LookupBatcher

        final class Time: Sendable {
            private let nanoseconds = Mutex<UInt64>(1_000_000_000_000)
            var value: UInt64 { nanoseconds.withLock { $0 } }
            func pass(_ more: UInt64) { nanoseconds.withLock { $0 += more } }
        }

        init(threads: Int = 2) {
            let time = Time()
            self.time = time
            worker = LookupBatcher(threads: threads) { time.value }
        }

        /// A piece that comes so long after the one before and takes so long: whether this thread did it.
        func isDoneHere(after pause: UInt64, taking duration: UInt64 = 0, meanwhile: @escaping @Sendable () -> Void = {}) -> Bool {
            // A thread that has done its last piece has not gone home yet.
            while !worker.isIdle { sched_yield() }
            time.pass(pause)
            let done = DispatchSemaphore(value: 0)
            let doer = Mutex<Thread?>(nil)
            worker.run { [time] in
                meanwhile()
                time.pass(duration)
                doer.withLock { $0 = Thread.current }
                done.signal()
            }
            done.wait()
            return doer.withLock { $0 } === Thread.current
        }
    }

    private static let alone = InlineGate.gap + 1

    @Test func `a piece that comes alone is done immediately, one right behind another is not`() {
        let bench = Bench()
        #expect(bench.isDoneHere(after: Self.alone))
        #expect(bench.isDoneHere(after: Self.alone))
        #expect(!bench.isDoneHere(after: InlineGate.gap))
        #expect(!bench.isDoneHere(after: 0))
        #expect(bench.isDoneHere(after: Self.alone))
    }

    @Test func `after a slow piece nothing is done immediately for a while`() {
        let bench = Bench()
        #expect(bench.isDoneHere(after: Self.alone, taking: InlineGate.quick))
        #expect(bench.isDoneHere(after: Self.alone, taking: InlineGate.quick + 1))
        #expect(!bench.isDoneHere(after: Self.alone))
        #expect(!bench.isDoneHere(after: InlineGate.caution - 2 * Self.alone))
        #expect(bench.isDoneHere(after: 2 * Self.alone))
    }

    @Test(arguments: [1, 2]) func `work that arrives during inline work does not wait for its caller`(threads: Int) {
        let bench = Bench(threads: threads)
        let others = DispatchGroup()
        let count = Mutex(0)
        let isHere = bench.isDoneHere(after: Self.alone) {
            for _ in 0..<100 {
                others.enter()
                bench.worker.run {
                    count.withLock { $0 += 1 }
                    others.leave()
                }
            }
        }
        #expect(isHere)
        others.wait()
        #expect(count.withLock { $0 } == 100)
        #expect(bench.isDoneHere(after: Self.alone))
    }
}
