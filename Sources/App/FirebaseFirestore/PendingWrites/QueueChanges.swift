// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Reads the list of queued writes, or of pins, at the start and again after changes; several changes between two reads cause one read.
final class QueueChanges<List: Sendable>: Sendable {
    /// Calls its argument after every change, until the handle is removed.
    typealias Observe = (@escaping @Sendable () -> Void) -> any ListenHandle

    private let firestore: Firestore
    private let observing: @Sendable (any ClientBackend) -> Observe?
    private let read: @Sendable () async throws -> List
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let handle = Mutex<(any ListenHandle)?>(nil)
    private let hasStarted = Mutex(false)

    /// `observing` returns nil where nothing ever changes.
    init(
        of firestore: Firestore,
        observing: @escaping @Sendable (any ClientBackend) -> Observe? = { $0.queue.map { queue in { queue.observeWrites($0) } } },
        read: @escaping @Sendable () async throws -> List
    ) {
        self.firestore = firestore
        self.observing = observing
        self.read = read
        (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    deinit {
        handle.withLock { $0 }?.remove()
        signal.finish()
    }

    /// The list after the next change; nil when cancelled, and after the first list where there is no queue.
    func next() async throws -> List? {
        if hasStarted.setOnce() {
            signal.yield()
            try observe()
        }
        var iterator = signals.makeAsyncIterator()
        guard await iterator.next() != nil else { return nil }
        return try await read()
    }

    private func observe() throws {
        let backend = try publicly { () throws(FirestoreError) in try firestore.backend() }
        guard let observe = observing(backend) else { return signal.finish() }
        let signal = signal
        let observation = observe { signal.yield() }
        handle.withLock { $0 = observation }
    }
}
