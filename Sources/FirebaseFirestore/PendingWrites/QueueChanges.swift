// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Reads a list of the queue at the start, and again after changes; several changes between two reads count as one.
final class QueueChanges<List: Sendable>: Sendable {
    private let firestore: Firestore
    private let read: @Sendable () async throws -> List
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let handle = Mutex<(any ListenHandle)?>(nil)
    private let hasStarted = Mutex(false)

    init(of firestore: Firestore, read: @escaping @Sendable () async throws -> List) {
        self.firestore = firestore
        self.read = read
        (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    deinit {
        handle.withLock { $0 }?.remove()
        signal.finish()
    }

    /// The list after the next change; nil when cancelled, and after the first list where there is no queue.
    func next() async throws -> List? {
        let isFirst = hasStarted.withLock { hasStarted in
            defer { hasStarted = true }
            return !hasStarted
        }
        if isFirst {
            signal.yield()
            try observe()
        }
        var iterator = signals.makeAsyncIterator()
        guard await iterator.next() != nil else { return nil }
        return try await read()
    }

    private func observe() throws {
        let queue = try publicly { () throws(FirestoreError) in try firestore.backend().queue }
        guard let queue else { return signal.finish() }
        let signal = signal
        handle.withLock { $0 = queue.observeWrites { signal.yield() } }
    }
}
