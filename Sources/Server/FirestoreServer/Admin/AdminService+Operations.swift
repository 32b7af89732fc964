// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreWire

/// What takes time, or may take time: looked up, listed, cancelled, forgotten, waited for.
extension AdminService {
    func getOperation(_ request: JSON) async throws(FirestoreError) -> JSON {
        let name = request.text("name")
        let (database, id) = try AdminName.operation(name)
        if let operation = detached.operation(name) { return operation }
        return try await operation(id, in: database)
    }

    func listOperations(_ request: JSON) async throws(FirestoreError) -> JSON {
        let database = try AdminName.database(request.text("name"))
        guard request.text("filter").isEmpty else { throw .invalidArgument("lists of operations have no filter here", at: "filter") }
        let unstored = detached.operations(of: database)
        // A database that is being restored cannot be opened yet.
        let isRestoring = unstored.contains { !$0.flag("done") }
        let isGone = if isRestoring || unstored.isEmpty { isRestoring } else { await !databases.isThere(database) }
        if isGone { return .object([("operations", .array(unstored))]) }
        let (_, facts) = try await opened(database)
        let page = try AdminPage.of(try await OperationStore(facts, clock: clock).all(), request) { $0.key }
        var operations: [JSON] = []
        for record in page.elements {
            operations.append(record.isDone ? record.operation : try await operation(record.id, in: database))
        }
        return .members([("operations", operations.isEmpty ? nil : .array(operations)), ("nextPageToken", page.next)])
    }

    /// An index that is being built is removed; what is over stays as it is.
    func cancelOperation(_ request: JSON) async throws(FirestoreError) -> JSON {
        let name = request.text("name")
        let (database, id) = try AdminName.operation(name)
        if detached.operation(name) != nil {
            restores.cancel(name)
            return .empty
        }
        let (service, facts) = try await opened(database)
        let store = OperationStore(facts, clock: clock)
        guard let record = try await store.record(id) else { throw Self.noOperation(name) }
        guard !record.isDone, !transfers.cancel(id) else { return .empty }
        if record.type == .indexOperationMetadata, let index = try? await index(named: record.metadata.text("index")),
            let number = index.number, !index.isReady
        {
            let now = clock.now()
            _ = try await Self.administration(of: service).removeIndex(number)
            try await store.change(id) { $0.fail(FirestoreError(.cancelled, "the operation was cancelled"), now: now) }
        }
        return .empty
    }

    func deleteOperation(_ request: JSON) async throws(FirestoreError) -> JSON {
        let name = request.text("name")
        let (database, id) = try AdminName.operation(name)
        let unstored = detached.operation(name)
        let operation = if let unstored { unstored } else { try await operation(id, in: database) }
        guard operation.flag("done") else {
            throw FirestoreError(.failedPrecondition, "the operation is being performed; cancel it first", at: name)
        }
        if detached.remove(name) { return .empty }
        let (_, facts) = try await opened(database)
        try await OperationStore(facts, clock: clock).remove(id)
        return .empty
    }

    /// Returns the operation when it is over, or as it is when the caller does not want to wait longer.
    func waitOperation(_ request: JSON, _ context: RequestContext) async throws(FirestoreError) -> JSON {
        let wanted = AdminDuration(text: request.text("timeout")).map { Duration.seconds($0.seconds) + .nanoseconds($0.nanoseconds) }
        // Before the caller gives up.
        let deadline = min(
            ContinuousClock.now + min(wanted ?? .seconds(60), .seconds(600)),
            context.deadline.map { $0 - .seconds(1) } ?? .now + .seconds(600))
        while true {
            let operation = try await getOperation(request)
            if operation.flag("done") || ContinuousClock.now >= deadline { return operation }
            do {
                try await Task.sleep(for: .milliseconds(50))
            } catch {
                throw FirestoreError(.cancelled, "the caller waits no longer")
            }
        }
    }

    // MARK: Making and refreshing

    /// Stores an operation that is over, and returns it.
    func finished(
        _ type: AdminMessage, _ metadata: JSON, answer: OperationAnswer, in database: DatabaseID, _ facts: any FactService
    ) async throws(FirestoreError) -> JSON {
        var record = OperationRecord(database, type, metadata, now: clock.now(), process: transfers.process)
        record.finish(answer, now: clock.now())
        _ = try await OperationStore(facts, clock: clock).add(record)
        return record.operation
    }

    /// An operation as it is now.
    func operation(_ id: String, in database: DatabaseID) async throws(FirestoreError) -> JSON {
        let (service, facts) = try await opened(database)
        let store = OperationStore(facts, clock: clock)
        guard let record = try await store.record(id) else { throw Self.noOperation("\(database.resourceName)/operations/\(id)") }
        guard !record.isDone else { return record.operation }
        switch record.type {
        case .indexOperationMetadata: return try await refreshedIndex(record, store)
        case .fieldOperationMetadata: return try await refreshedField(record, store, database, service, facts)
        default: return try await refreshedTransfer(record, store, isShared: service.isShared)
        }
    }

    /// The build of an index continues by itself, also after a restart.
    private func refreshedIndex(_ record: OperationRecord, _ store: OperationStore) async throws(FirestoreError) -> JSON {
        var record = record
        let now = clock.now()
        let index: ShownIndex
        do throws(FirestoreError) {
            index = try await self.index(named: record.metadata.text("index"))
        } catch {
            guard error.code == .notFound else { throw error }
            let gone = FirestoreError(.aborted, "the index was deleted while it was being built")
            return try await store.change(record.id) { $0.fail(gone, now: now) }?.operation ?? record.operation
        }
        let estimate = index.progress > 0 ? Int(Double(index.entries) / index.progress) : nil
        guard index.isReady else {
            record.setProgress(documents: index.entries, of: estimate)
            return record.operation
        }
        return try await store.change(record.id) { record in
            record.setProgress(documents: index.entries, of: index.entries)
            record.finish((.index, index.message), now: now)
        }?.operation ?? record.operation
    }

    private func refreshedField(
        _ record: OperationRecord, _ store: OperationStore, _ database: DatabaseID, _ service: RuledService, _ facts: any FactService
    ) async throws(FirestoreError) -> JSON {
        let (_, field) = try AdminName.field(record.metadata.text("field"))
        let message = try await message(field, in: database, service, try await Self.allSettings(facts, service))
        let states = (message["indexConfig"]?.elements("indexes") ?? []) + [message["ttlConfig"]].compactMap(\.self)
        guard !states.contains(where: { $0.text("state") == "CREATING" }) else { return record.operation }
        let now = clock.now()
        return try await store.change(record.id) { $0.finish((.field, message), now: now) }?.operation ?? record.operation
    }

    private func refreshedTransfer(_ record: OperationRecord, _ store: OperationStore, isShared: Bool) async throws(FirestoreError) -> JSON
    {
        var record = record
        if let progress = transfers.progress(of: record.id) {
            record.setProgress(documents: progress.documents, bytes: progress.bytes)
            return record.operation
        }
        let now = clock.now()
        // Another node may perform it, as long as it reports.
        let mayBeElsewhere = isShared && !equalUTF8(record.process, transfers.process) && record.beat + OperationRecord.patience > now
        guard !mayBeElsewhere else { return record.operation }
        return try await store.change(record.id) { record in
            let done = record.metadata["progressDocuments"]?.integer("completedWork") ?? 0
            record.fail(.interrupted(done), now: now)
        }?.operation ?? record.operation
    }

    private static func noOperation(_ name: String) -> FirestoreError {
        FirestoreError(.notFound, "there is no such operation; those that are over are kept for a week", at: String(name.prefix(1_000)))
    }
}
