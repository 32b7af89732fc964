// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import GRDB

/// Connections for reading a few documents right on the calling thread.
///
/// A hop to a reader's queue and back costs several times what a point read costs. These connections are never
/// waited for: who finds none free takes the way over the queues. Used for a handful of documents only, so that
/// the calling thread is held for microseconds, or for a page read from the disk.
final class PointReaders: Sendable {
    /// More documents than this are worth a hop.
    static let largestLookup = 8

    private let state: Mutex<State>

    private struct State {
        var free: [DatabaseQueue]
        var isClosed = false
    }

    init(path: String, count: Int) throws {
        var configuration = SQLiteSettings.configuration()
        configuration.readonly = true
        let queues = try (0..<count).map { _ in try DatabaseQueue(path: path, configuration: configuration) }
        state = Mutex(State(free: queues))
    }

    /// Runs `body` on a free connection; nil if there is none.
    func read<R>(_ body: (Database) throws -> R) throws -> R? {
        guard let queue = state.withLock({ $0.isClosed ? nil : $0.free.popLast() }) else { return nil }
        defer { giveBack(queue) }
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
