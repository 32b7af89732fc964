// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreTransfer
import TestSupport

/// A value that only the cache of a client contains (SY-38).
let pendingTimestamp = PendingTimestamp.bytes(localWriteTime: TimestampValue(seconds: 1, nanoseconds: 0), replacing: nil)

/// A database in memory, and what is in it.
struct TestDatabase {
    static let id = DatabaseID(projectID: "library")
    let engine: Engine

    init(_ id: DatabaseID = TestDatabase.id) throws {
        engine = try Engine.open(EngineConfiguration(location: .memory, databaseID: id))
    }

    func put(_ documents: [TransferredDocument]) async throws {
        for start in stride(from: 0, to: documents.count, by: 100) {
            let writes = documents[start..<min(start + 100, documents.count)].map(\.write)
            _ = try await engine.commit(writes, context: .embedded)
        }
    }

    /// Everything, by one query.
    var documents: [TransferredDocument] {
        get async throws {
            let query = StructuredQuery(scope: .kindless(under: nil, allDescendants: true))
            return try await engine.run(query, context: .embedded).documents.map { TransferredDocument(key: $0.key, fields: $0.fields) }
        }
    }

    static func document(_ path: String, _ number: Int = 0) -> TransferredDocument {
        TransferredDocument(key: DocumentKey(trusted: path), fields: FieldBytes(FieldMap([("n", .integer(Int64(number)))])))
    }
}

/// Prepared documents, one per line; a failure is an invalid line.
struct ListInput: DocumentInput {
    var items: [Result<TransferredDocument, FirestoreError>]
    /// Ends the reading behind the items.
    var failure: FirestoreError?
    private(set) var bytesRead: Int64 = 0
    var size: Int64? { nil }

    init(_ items: [Result<TransferredDocument, FirestoreError>], failure: FirestoreError? = nil) {
        self.items = items
        self.failure = failure
    }

    mutating func next() throws(FirestoreError) -> ImportItem? {
        guard bytesRead < items.count else {
            if let failure { throw failure }
            return nil
        }
        defer { bytesRead += 1 }
        let place = ImportPlace(file: "list", .line(Int(bytesRead) + 1))
        return ImportItem(place, items[Int(bytesRead)].mapError { FirestoreError(.invalidArgument, $0.message, at: place.description) })
    }
}
