// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What a pipeline writes: a write for every document that its rows name, in the order of the names.
package struct PipelineWrites: Sendable {
    package struct Entry: Sendable {
        package var write: Write
        /// When the document of the row was last changed, if the row is that document.
        package var readVersion: DocumentVersion?
    }

    package private(set) var entries: [Entry] = []
    /// Size in bytes of keys and fields.
    package private(set) var byteCount = 0

    /// Resolves the rows of a pipeline that writes. `makeID` makes the ids of documents that have none.
    package init(
        _ output: PipelineOutput, of pipeline: CheckedPipeline, database: DatabaseID, makeID: () -> String
    ) throws(FirestoreError) {
        guard let modification = pipeline.modification else { return }
        var targets: [DocumentKey: Int] = [:]
        for (index, row) in output.rows.enumerated() {
            let id = output.documentIDs.isEmpty ? nil : output.documentIDs[index]
            let key = try Self.target(of: row, id, modification, database, makeID)
            let version = row.isDocument(key, database) ? row.updateTime : nil
            let entry = Entry(write: Self.write(row, to: key, modification), readVersion: version)
            byteCount += key.path.utf8.count + row.fields.bytes.count
            if let index = targets[key] {
                guard modification.allowsRepetition else {
                    throw FirestoreError(.alreadyExists, "the pipeline inserts the document twice", at: key.path)
                }
                // The last row counts.
                entries[index] = entry
            } else {
                targets[key] = entries.count
                entries.append(entry)
            }
        }
        entries.sort { $0.write.key < $1.write.key }
        for entry in entries {
            if case .set(let fields) = entry.write.operation { _ = try DocumentCheck.check(fields, of: entry.write.key) }
        }
    }

    private static func target(
        of row: PipelineRow, _ id: String?, _ modification: Modification, _ database: DatabaseID, _ makeID: () -> String
    ) throws(FirestoreError) -> DocumentKey {
        let key = row.name.flatMap { DocumentKey(name: $0, in: database) }
        switch modification {
        case .update, .delete:
            guard let key else {
                throw .invalidArgument("\(modification.name) needs rows that are documents of this database; keep __name__")
            }
            return key
        case .insert(let target), .upsert(_, let target):
            guard let collection = target.collection ?? key?.collection else {
                throw .invalidArgument(
                    "\(modification.name) needs rows that are documents of this database, or the option collection")
            }
            if let id { try PathCheck.documentID(id) }
            return DocumentKey(collection: collection, id: id ?? key?.id ?? makeID())
        }
    }

    private static func write(_ row: PipelineRow, to key: DocumentKey, _ modification: Modification) -> Write {
        switch modification {
        case .update: Write(key: key, operation: .set(row.fields), precondition: .exists(true))
        case .delete: Write(key: key, operation: .delete)
        case .insert: Write(key: key, operation: .set(row.fields), precondition: .exists(false))
        case .upsert: Write(key: key, operation: .set(row.fields))
        }
    }

    /// The one row that a pipeline that writes has as its result.
    package static func result(modified count: Int) -> PipelineRow {
        PipelineRow(fields: FieldBytes(FieldMap([("documents_modified", .integer(Int64(count)))])))
    }
}

extension PipelineRow {
    fileprivate func isDocument(_ key: DocumentKey, _ database: DatabaseID) -> Bool {
        updateTime != nil && name.flatMap { DocumentKey(name: $0, in: database) } == key
    }
}

extension Modification {
    fileprivate var name: String {
        switch self {
        case .update: "update"
        case .delete: "delete"
        case .insert: "insert"
        case .upsert: "upsert"
        }
    }

    /// Whether several rows may name one document.
    fileprivate var allowsRepetition: Bool { if case .insert = self { false } else { true } }
}
