// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase
import Testing

/// Actions that are decided under a lock and performed outside of it.
struct ActionQueueTests {
    @Test func `one performer takes what was added, also meanwhile, and then leaves`() {
        var queue = ActionQueue<Int>()
        #expect(queue.begin() == false)
        queue.append(1)
        queue.append(2)
        #expect(queue.begin() == true)
        #expect(queue.next() == [1, 2])
        queue.append(3)
        #expect(queue.begin() == false)
        #expect(queue.next() == [3])
        #expect(queue.next() == nil)
        queue.append(4)
        #expect(queue.begin() == true)
        #expect(queue.next() == [4])
        #expect(queue.next() == nil)
    }

    private final class Performer: Sendable {
        private struct State {
            var actions = ActionQueue<Int>()
            var count = 0
        }

        private let state = Mutex(State())
        let performed = Mutex<[Int]>([])

        func act() {
            state.withLock { state in
                state.count += 1
                state.actions.append(state.count)
            }
            guard state.withLock({ $0.actions.begin() }) else { return }
            while let actions = state.withLock({ $0.actions.next() }) {
                for action in actions { performed.withLock { $0.append(action) } }
            }
        }
    }

    @Test func `actions of many threads are performed one after the other, in the order in which they were added`() async {
        let performer = Performer()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<500 { performer.act() }
                }
            }
        }
        #expect(performer.performed.withLock { $0 } == Array(1...4_000))
    }
}
