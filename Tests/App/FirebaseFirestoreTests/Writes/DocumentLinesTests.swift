// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirebaseFirestore

/// Calls on one document take turns.
@Suite struct DocumentLinesTests {
    private final class Order: Sendable {
        let numbers = Mutex<[Int]>([])
    }

    private let lines = DocumentLines()
    private let key = DocumentKey(trusted: "c/a")

    @Test func `turns come in the order of arrival, and documents do not wait for each other`() async throws {
        let order = Order()
        try await lines.enter(key)
        try await lines.enter(DocumentKey(trusted: "c/b"))
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<4 {
            tasks.append(
                Task { [lines, key] in
                    try await lines.enter(key)
                    order.numbers.withLock { $0.append(number) }
                    lines.leave(key)
                })
            await eventually("it waits") { lines.waiting(for: key) == number + 1 }
        }
        #expect(order.numbers.withLock { $0 }.isEmpty)
        lines.leave(key)
        for task in tasks { try await task.value }
        #expect(order.numbers.withLock { $0 } == [0, 1, 2, 3])
        try await lines.enter(key)
        lines.leave(key)
    }

    @Test func `a canceled call leaves the line, and the next moves up`() async throws {
        try await lines.enter(key)
        let first = Task { [lines, key] in try await lines.enter(key) }
        await eventually("the first waits") { lines.waiting(for: key) == 1 }
        let second = Task { [lines, key] in try await lines.enter(key) }
        await eventually("the second waits") { lines.waiting(for: key) == 2 }
        first.cancel()
        await expectError(.cancelled, mentioning: "c/a") { try await first.value }
        #expect(lines.waiting(for: key) == 1)
        lines.leave(key)
        try await second.value
        second.cancel()
        lines.leave(key)
        #expect(lines.waiting(for: key) == 0)
    }
}
