// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreEnforcement
import FirestoreWire

/// Documents in bulk: exported into folders, imported from them, deleted.
extension AdminService {
    func exportDocuments(_ request: JSON, _ context: RequestContext) async throws(FirestoreError) -> JSON {
        let database = try AdminName.database(request.text("name"))
        let collectionIDs = try Self.collectionIDs(request)
        let folders = try mappedFolders()
        let uri = try Self.outputURI(request.text("outputUriPrefix"), now: clock.now())
        let folder = try folders.folder(of: uri)
        let (service, facts) = try await used(database)
        let window = backups == nil ? RecoveryWindow.usual : try await RecoveryWindow.stored(in: facts)
        let moment = try moment(request.text("snapshotTime"), since: window, at: "snapshotTime")
        let past = try moment.flatMap { (moment) throws(FirestoreError) in try pastDatabase(database, at: moment) }
        let export = FolderExport(
            service: service, database: database, context: Self.unlimited(context), collectionIDs: collectionIDs,
            moment: moment.map { .past($0) } ?? .latest, folder: folder)
        let metadata = metadata(
            collectionIDs,
            [("outputUriPrefix", .string(uri)), ("snapshotTime", moment.map { .string($0.timestamp.text) })])
        return try await start(.exportDocumentsMetadata, metadata, database, service, facts) { (report) async throws(FirestoreError) in
            if let past {
                try await past.read { (engine) async throws(FirestoreError) in
                    try await folders.export(export.reading(engine), report: report)
                }
            } else {
                try await folders.export(export, report: report)
            }
            return (.exportDocumentsResponse, .object([("outputUriPrefix", .string(uri))]))
        }
    }

    func importDocuments(_ request: JSON, _ context: RequestContext) async throws(FirestoreError) -> JSON {
        let database = try AdminName.database(request.text("name"))
        let collectionIDs = try Self.collectionIDs(request)
        let folders = try mappedFolders()
        let uri = request.text("inputUriPrefix")
        let folder = try folders.folder(of: uri)
        let (service, facts) = try await used(database)
        let plan = FolderImport(
            service: service, database: database, context: Self.unlimited(context), collectionIDs: collectionIDs, folder: folder)
        let metadata = metadata(collectionIDs, [("inputUriPrefix", .string(uri))])
        return try await start(.importDocumentsMetadata, metadata, database, service, facts) { (report) async throws(FirestoreError) in
            try await folders.importDocuments(plan, report: report)
            return (.empty, .empty)
        }
    }

    func bulkDeleteDocuments(_ request: JSON, _ context: RequestContext) async throws(FirestoreError) -> JSON {
        let database = try AdminName.database(request.text("name"))
        let collectionIDs = try Self.collectionIDs(request)
        guard !collectionIDs.isEmpty else {
            throw .invalidArgument("the request names no collections; to delete everything, delete the database", at: "collectionIds")
        }
        let (service, facts) = try await used(database)
        let deletion = BulkDeletion(
            service: service, database: database, context: Self.unlimited(context), collectionIDs: collectionIDs)
        return try await start(
            .bulkDeleteDocumentsMetadata, metadata(collectionIDs, []), database, service, facts
        ) { (report) async throws(FirestoreError) in
            _ = try await deletion.run { report($0, nil) }
            return (.bulkDeleteDocumentsResponse, .empty)
        }
    }

    /// Exports the documents of a database into a folder of this machine, as tools of the emulator ask for it.
    package func exportDocuments(
        of database: DatabaseID, toFolder path: String, _ context: RequestContext
    ) async throws(FirestoreError) {
        let folders = try mappedFolders()
        let folder = try folders.folder(atPath: path)
        let (service, _) = try await used(database)
        let export = FolderExport(
            service: service, database: database, context: context, collectionIDs: [], moment: .latest, folder: folder)
        try await folders.export(export) { _, _ in }
    }

    // MARK: Parts

    private func start(
        _ type: AdminMessage, _ metadata: JSON, _ database: DatabaseID, _ service: RuledService, _ facts: any FactService,
        _ body: @escaping RunningTransfers.Body
    ) async throws(FirestoreError) -> JSON {
        let store = OperationStore(facts, clock: clock)
        let record = OperationRecord(database, type, metadata, now: clock.now(), process: transfers.process)
        try await transfers.start(record, in: database, service, store, body)
        return record.operation
    }

    private func metadata(_ collectionIDs: [String], _ others: [(name: String, value: JSON?)]) -> JSON {
        .members(
            [
                ("startTime", .time(clock.now())), ("operationState", .string("PROCESSING")),
                ("collectionIds", collectionIDs.isEmpty ? nil : .array(collectionIDs.map { .string($0) })),
            ] + others)
    }

    private func mappedFolders() throws(FirestoreError) -> any DocumentFolders {
        guard let folders else { throw FirestoreError(.unimplemented, "this server reads and writes no export folders") }
        return folders
    }

    private static func collectionIDs(_ request: JSON) throws(FirestoreError) -> [String] {
        guard request.texts("namespaceIds").allSatisfy(\.utf8.isEmpty) else {
            throw .invalidArgument("namespaces are those of Datastore mode; leave them out", at: "namespaceIds")
        }
        let ids = request.texts("collectionIds")
        try Limit.collectionIDs.check(ids.count, at: "collectionIds")
        for id in ids { try PathCheck.collectionID(id) }
        return ids
    }

    /// A bucket alone gets a folder named after the time, as in the service.
    private static func outputURI(_ prefix: String, now: Int64) throws(FirestoreError) -> String {
        var prefix = prefix
        while prefix.utf8.last == UInt8(ascii: "/") { prefix.removeLast() }
        guard prefix.hasPrefix("gs://"), !prefix.dropFirst(5).utf8.contains(UInt8(ascii: "/")) else { return prefix }
        let time = TimestampValue(microsecondsSince1970: now - now % 1_000_000).text.dropLast()
        return "\(prefix)/\(time)_\(now % 1_000_000)"
    }

    /// A moment in whole minutes within a window that ends now; nil for the present one.
    func moment(_ text: String, since window: Int64, at field: String) throws(FirestoreError) -> DocumentVersion? {
        guard !text.isEmpty else { return nil }
        guard let time = TimestampValue(text: text), time.nanoseconds == 0, time.seconds % 60 == 0 else {
            throw .invalidArgument("a moment of the past is a whole minute", at: field)
        }
        let (moment, now) = (time.microsecondsSince1970, clock.now())
        guard moment <= now, moment > now - window else {
            let reach = window == RecoveryWindow.usual ? "hour; with recovery to a point in time it would be 7 days" : "7 days"
            throw FirestoreError(
                .failedPrecondition, "moments of the past are those of the last \(reach)", at: field)
        }
        return DocumentVersion(microseconds: moment)
    }

    /// The database out of the archive, for a moment that its log does not have; nil for a later one.
    private func pastDatabase(_ database: DatabaseID, at moment: DocumentVersion) throws(FirestoreError) -> PastDatabase? {
        guard moment.microseconds <= clock.now() - RecoveryWindow.usual, let backups else { return nil }
        return PastDatabase(database: database, moment: moment, backups: backups, path: try databases.pathForCopy(), clock: clock)
    }

    /// Work in the background has no deadline.
    private static func unlimited(_ context: RequestContext) -> RequestContext {
        var context = context
        context.deadline = nil
        return context
    }
}
