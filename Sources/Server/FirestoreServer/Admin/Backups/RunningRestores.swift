// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

/// The restores and clones that this process performs. Their databases do not exist yet, so their operations are kept here; a successful
/// one is stored in its database.
final class RunningRestores: Sendable {
    private let running = Mutex<[String: Task<Void, Never>]>([:])
    private let operations: DetachedOperations
    private let clock: any WallClock

    init(_ operations: DetachedOperations, clock: any WallClock) {
        self.operations = operations
        self.clock = clock
    }

    /// Performs an operation in the background.
    ///
    /// - Parameters:
    ///   - body: Called with what takes hundredths of the work. Returns the answer.
    ///   - store: Stores the operation that has succeeded.
    func start(
        _ record: OperationRecord,
        _ body: @escaping @Sendable (@escaping @Sendable (Int) -> Void) async throws(FirestoreError) -> OperationAnswer,
        store: @escaping @Sendable (OperationRecord) async throws(FirestoreError) -> Void
    ) {
        let name = record.operation.text("name")
        operations.set(record.operation)
        let task = Task { [self] in
            var ended = record
            do throws(FirestoreError) {
                ended.setPercentage(100)
                ended.finish(try await body { self.report($0, of: record) }, now: clock.now())
                try await store(ended)
                _ = operations.remove(name)
            } catch {
                var failed = record
                failed.fail(error, now: clock.now())
                operations.set(failed.operation)
            }
            running.withLock { $0[name] = nil }
        }
        // The task may be over by now: its operation says so.
        running.withLock { running in
            if operations.operation(name)?.flag("done") == false { running[name] = task }
        }
    }

    private func report(_ hundredths: Int, of record: OperationRecord) {
        var shown = record
        shown.setPercentage(hundredths)
        operations.set(shown.operation)
    }

    func cancel(_ name: String) { running.withLock { $0[name] }?.cancel() }

    func stop() async {
        let tasks = running.withLock { Array($0.values) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
