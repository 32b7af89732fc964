// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement

/// The exports, imports and bulk deletes that this process performs.
final class RunningTransfers: Sendable {
    struct Progress: Sendable {
        var documents = 0
        var bytes: Int64?
    }

    typealias Report = @Sendable (_ documents: Int, _ bytes: Int64?) -> Void
    typealias Body = @Sendable (@escaping Report) async throws(FirestoreError) -> OperationAnswer

    private struct Entry {
        let database: DatabaseName
        var task: Task<Void, Never>?
        var progress = Progress()
        var lastBeat: Int64
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var isStopping = false
    }

    /// How often a process reports: 10 s, in microseconds.
    private static let pulse: Int64 = 10_000_000

    /// Distinguishes this process from others that have performed operations of a database.
    let process = AutoID.make()
    private let clock: any WallClock
    private let state = Mutex(State())

    init(clock: any WallClock) { self.clock = clock }

    /// Stores an operation, and performs it in the background. Returns its id.
    ///
    /// - Parameter service: The database, which stays open as long.
    @discardableResult
    func start(
        _ record: OperationRecord, in database: DatabaseID, _ service: RuledService, _ store: OperationStore, _ body: @escaping Body
    ) async throws(FirestoreError) -> String {
        let id = record.id
        // Before it is stored: an operation that no process performs is taken for an interrupted one.
        state.withLock { $0.entries[id] = Entry(database: DatabaseName(database), lastBeat: record.beat) }
        do throws(FirestoreError) {
            _ = try await store.add(record)
        } catch {
            state.withLock { $0.entries[id] = nil }
            throw error
        }
        let task = Task { [self] in
            let result: Result<OperationAnswer, FirestoreError>
            do throws(FirestoreError) {
                result = .success(try await body { self.report(id, store, $0, $1) })
            } catch {
                result = .failure(error)
            }
            await finish(id, store, result)
            withExtendedLifetime(service) {}
        }
        let isStopping = state.withLock { state in
            state.entries[id]?.task = task
            return state.isStopping
        }
        if isStopping { task.cancel() }
        return id
    }

    private func finish(_ id: String, _ store: OperationStore, _ result: Result<OperationAnswer, FirestoreError>) async {
        let (progress, isStopping) = state.withLock { ($0.entries[id]?.progress ?? Progress(), $0.isStopping) }
        let now = clock.now()
        // What cannot be stored is found to be interrupted when it is next looked at.
        _ = try? await store.change(id) { record in
            record.setProgress(documents: progress.documents, bytes: progress.bytes)
            switch result {
            case .success(let answer): record.finish(answer, now: now)
            case .failure(let error) where error.code == .cancelled && isStopping: record.fail(.interrupted(progress.documents), now: now)
            case .failure(let error): record.fail(error, now: now)
            }
        }
        state.withLock { $0.entries[id] = nil }
    }

    private func report(_ id: String, _ store: OperationStore, _ documents: Int, _ bytes: Int64?) {
        let now = clock.now()
        let isDue = state.withLock { state in
            state.entries[id]?.progress = Progress(documents: documents, bytes: bytes)
            guard let last = state.entries[id]?.lastBeat, now - last >= Self.pulse else { return false }
            state.entries[id]?.lastBeat = now
            return true
        }
        guard isDue else { return }
        Task {
            _ = try? await store.change(id) { record in
                record.beat = now
                record.setProgress(documents: documents, bytes: bytes)
            }
        }
    }

    /// How far an operation has come; nil if this process does not perform it.
    func progress(of id: String) -> Progress? { state.withLock { $0.entries[id]?.progress } }

    // MARK: The end

    /// Returns whether this process performs the operation.
    func cancel(_ id: String) -> Bool {
        let entry = state.withLock { $0.entries[id] }
        entry?.task?.cancel()
        return entry != nil
    }

    func cancelAll(of database: DatabaseID) async {
        let name = DatabaseName(database)
        await end { $0.database == name }
    }

    func stop() async {
        state.withLock { $0.isStopping = true }
        await end { _ in true }
    }

    private func end(_ isMeant: (Entry) -> Bool) async {
        let tasks = state.withLock { state in state.entries.values.filter(isMeant).compactMap(\.task) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}

extension FirestoreError {
    static func interrupted(_ documents: Int) -> FirestoreError {
        FirestoreError(.aborted, "the server stopped after \(documents) documents; what was done until then stays done")
    }
}
