// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestorePipelines
import FirestoreSQLite
import FirestoreStorage

/// Lets pipelines of a database in memory read for long without keeping other reads and commits waiting.
///
/// Such a database has one connection. A pipeline first tries to get through with few steps, over the database itself. One that needs more
/// runs over a copy, which is its snapshot: copying takes about a millisecond for four megabytes. Pipelines share a copy while nothing is
/// written. A database that is too large to be copied is read in place.
final class MemorySnapshots: Sendable {
    /// A few milliseconds.
    private static let steps = 4_096
    private static let largestCopy: Int64 = 256 << 20

    private struct Copy {
        weak var store: SQLiteStore?
        var generation = 0
        var number = 0
    }

    private let store: SQLiteStore
    private let copy = Mutex(Copy())

    init(_ store: SQLiteStore) { self.store = store }

    func read<R>(
        _ budget: PipelineBudget, _ body: (any StoreSnapshot) throws(FirestoreError) -> R
    ) throws(FirestoreError) -> R {
        budget.beginAttempt(steps: Self.steps)
        let result: Result<R, FirestoreError>
        do throws(FirestoreError) {
            result = .success(try store.read(body))
        } catch {
            result = .failure(error)
        }
        guard budget.endAttempt() else { return try result.get() }
        return try (try current() ?? store).read(body)
    }

    /// Whether there is a copy now.
    var hasCopy: Bool { copy.withLock { $0.store != nil } }

    /// How many copies were made.
    var copies: Int { copy.withLock { $0.number } }

    /// nil if the database is too large.
    private func current() throws(FirestoreError) -> SQLiteStore? {
        // Before the copy is made, which may already have the next commit.
        let generation = store.generation
        if let known = copy.withLock({ $0.generation == generation ? $0.store : nil }) { return known }
        guard try store.usedByteCount() <= Self.largestCopy else { return nil }
        let made = try store.copyInMemory()
        copy.withLock { $0 = Copy(store: made, generation: generation, number: $0.number + 1) }
        return made
    }
}
