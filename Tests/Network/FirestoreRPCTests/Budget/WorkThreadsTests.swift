// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import Testing

@testable import FirestoreRPC

/// The threads that all connections share.
struct WorkThreadsTests {
    @Test(.timeLimit(.minutes(1))) func `any number of pieces of work runs on a bounded number of threads, first come, first served`() {
        let threads = WorkThreads(count: 3)
        let running = Mutex((now: 0, most: 0))
        let done = DispatchGroup()
        let gate = DispatchSemaphore(value: 0)
        for _ in 0..<1000 {
            done.enter()
            threads.run {
                running.withLock { running in
                    running.now += 1
                    running.most = max(running.most, running.now)
                }
                gate.wait()
                running.withLock { $0.now -= 1 }
                done.leave()
            }
        }
        #expect(threads.busy == 3)
        for _ in 0..<1000 { gate.signal() }
        done.wait()
        #expect(running.withLock { $0.most } <= 3)
        let one = WorkThreads(count: 1)
        let order = Mutex<[Int]>([])
        for number in 0..<100 {
            done.enter()
            one.run {
                order.withLock { $0.append(number) }
                done.leave()
            }
        }
        done.wait()
        #expect(order.withLock { $0 } == Array(0..<100))
    }
}
