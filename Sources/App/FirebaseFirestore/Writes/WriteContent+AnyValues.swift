// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension AnyValueParser {
    /// The data of a whole document.
    static func document(_ data: [String: Any], database: DatabaseID) throws(FirestoreError) -> WriteContent {
        var parser = AnyValueParser(database: database)
        let fields = try parser.map(data, depth: 0)
        return WriteContent(fields: fields, transforms: parser.transforms, deletions: parser.deletions)
    }

    /// The entries of an update: paths and the values that replace the stored ones (WR-43).
    static func update(_ data: [AnyHashable: Any], database: DatabaseID) throws(FirestoreError) -> UpdateContent {
        var content = UpdateContent()
        for (key, entry) in data {
            let path = try fieldPath(key.base)
            try PathCheck.checkWritable(path)
            content.keys.append(path)
            if let sentinel = entry as? FieldValue, case .delete = sentinel.operation {
                content.deletions.append(path)
                continue
            }
            var parser = AnyValueParser(database: database)
            parser.path = path.segments
            if let value = try parser.value(entry, depth: path.segments.count) {
                content.values.append((path, value))
            }
            if let deletion = parser.deletions.first {
                throw .invalidArgument(
                    "FieldValue.delete() can only be the whole value of an entry of updateData",
                    at: "field \(deletion.canonical)")
            }
            content.transforms += parser.transforms
        }
        return content
    }
}

extension Firestore {
    /// The data of a whole document, to be written into this database.
    func content(_ data: [String: Any]) throws(FirestoreError) -> WriteContent {
        try AnyValueParser.document(data, database: databaseID)
    }

    /// The update of an existing document with these entries.
    func update(_ key: DocumentKey, with fields: [AnyHashable: Any]) throws(FirestoreError) -> Write {
        try AnyValueParser.update(fields, database: databaseID).update(key)
    }
}
