// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import GRDB

/// Connections for reading a few documents on the calling thread.
///
/// A hop to a reader's queue and back costs several times as much as a point read. These connections are never waited for: when
/// none is free, the read goes through the queues. Used for a few documents only, so that the calling thread is blocked for
/// microseconds, or for reading a page from the disk.
final class PointReaders: Sendable {
    /// Reads of more documents than this are worth a hop. A server reads those of gets that arrived together, and with them what rules
    /// need.
    static let largestLookup = 32

    private let state: Mutex<State>
    private let reads: RunningReads

    private struct State {
        var free: [DatabaseQueue]
        var isClosed = false
    }

    init(path: String, count: Int, reads: RunningReads) throws {
        self.reads = reads
        var configuration = SQLiteSettings.configuration()
        configuration.readonly = true
        let queues = try (0..<count).map { _ in try DatabaseQueue(path: CheckedFiles.uri(path), configuration: configuration) }
        state = Mutex(State(free: queues))
    }

    /// Runs `body` on a free connection; nil if there is none.
    func read<R>(_ body: (Database) throws -> R) throws -> R? {
        guard let queue = state.withLock({ $0.isClosed ? nil : $0.free.popLast() }) else { return nil }
        defer { giveBack(queue) }
        let number = reads.begin()
        defer { reads.end(number) }
        return try queue.unsafeRead(body)
    }

    private func giveBack(_ queue: DatabaseQueue) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.free.append(queue) }
            return state.isClosed
        }
        if isClosed { try? queue.close() }
    }

    func close() {
        let free = state.withLock { state in
            state.isClosed = true
            defer { state.free = [] }
            return state.free
        }
        for queue in free { try? queue.close() }
    }
}
