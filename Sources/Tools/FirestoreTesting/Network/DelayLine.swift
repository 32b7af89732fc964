// SPDX-License-Identifier: Apache-2.0
#if Remote
    import Dispatch
    import FirestoreCore

    /// Delivers elements in the same order, one at a time, each a while later.
    ///
    /// Elements do not wait for each other's delay: ten messages with a latency of a second arrive after one second.
    final class DelayLine<Element: Sendable>: Sendable {
        private struct Entry {
            let number: UInt64
            let element: Element
            var isDue: Bool
        }

        private struct State {
            var entries: [Entry] = []
            var lastNumber: UInt64 = 0
            var isDelivering = false
            var isEnded = false
        }

        private let sleep: @Sendable (Duration) async -> Void
        private let deliver: @Sendable (Element) -> Void
        private let state = Mutex(State())

        init(sleep: @escaping @Sendable (Duration) async -> Void, deliver: @escaping @Sendable (Element) -> Void) {
            self.sleep = sleep
            self.deliver = deliver
        }

        func put(_ element: Element, after delay: Duration) {
            let number = state.withLock { state -> UInt64? in
                guard !state.isEnded else { return nil }
                state.lastNumber += 1
                state.entries.append(Entry(number: state.lastNumber, element: element, isDue: delay <= .zero))
                return state.lastNumber
            }
            guard let number else { return }
            guard delay > .zero else { return drain() }
            Task { [self] in
                await sleep(delay)
                state.withLock { state in
                    if let index = state.entries.firstIndex(where: { $0.number == number }) { state.entries[index].isDue = true }
                }
                drain()
            }
        }

        /// Drops the elements in flight. If there is a last element, it is delivered next, on the queue.
        func end(with last: Element?, on queue: DispatchQueue) {
            let isFirst = state.withLock { state in
                guard !state.isEnded else { return false }
                state.isEnded = true
                state.entries = last.map { [Entry(number: 0, element: $0, isDue: true)] } ?? []
                return true
            }
            if isFirst, last != nil { queue.async { [self] in drain() } }
        }

        private func drain() {
            // The thread that finds the line idle delivers; other threads leave it to that one.
            let starts = state.withLock { state in
                defer { state.isDelivering = true }
                return !state.isDelivering
            }
            guard starts else { return }
            while true {
                let next = state.withLock { state -> Element? in
                    guard let first = state.entries.first, first.isDue else {
                        state.isDelivering = false
                        return nil
                    }
                    state.entries.removeFirst()
                    return first.element
                }
                guard let next else { return }
                deliver(next)
            }
        }
    }
#endif
