// SPDX-License-Identifier: Apache-2.0

/// Documents in proto3's JSON form: `{"name": "projects/…", "fields": {…}, "createTime": …, "updateTime": …}`.
extension Document {
    /// Reads a document of a database. The values of its fields are checked when it is written (`DocumentCheck`).
    package init(_ node: JSONNode, in database: DatabaseID) throws(FirestoreError) {
        try node.allow(only: "name", "fields", "createTime", "updateTime")
        func time(_ name: String) throws(FirestoreError) -> DocumentVersion {
            guard let node = try node.optional(name) else { return .none }
            return DocumentVersion(microseconds: try TimestampValue(node).microsecondsSince1970)
        }
        self.init(
            key: try DocumentKey(try node.required("name"), in: database), createTime: try time("createTime"),
            updateTime: try time("updateTime"), fields: FieldBytes(try FieldMap(try node.optional("fields"))))
    }

    /// The JSON form of a stored document.
    package func json(in database: DatabaseID) throws(FirestoreError) -> JSON {
        if fields.containsPendingTimestamp { throw FirestoreError.pendingTimestamp.located(at: key.path) }
        let fields = try fields.map
        var members: [(name: String, value: JSON)] = [("name", .string(database.name(of: key)))]
        if !fields.isEmpty { members.append(("fields", fields.json)) }
        members.append(("createTime", .string(createTime.timestamp.text)))
        members.append(("updateTime", .string(updateTime.timestamp.text)))
        return .object(members)
    }
}

extension DocumentKey {
    /// Reads the full name of a document of a database.
    package init(_ node: JSONNode, in database: DatabaseID) throws(FirestoreError) {
        let text = try node.string()
        let key = PathCheck.withBytes(text) { bytes -> Result<DocumentKey, FirestoreError> in
            guard let name = ReferenceName(bytes) else {
                return .failure(node.failure("the full name of a document is expected: projects/…/databases/…/documents/…"))
            }
            guard name.isIn(database) else {
                return .failure(
                    node.failure(
                        "the document is not in the app's database \(database.databaseID) of project \(database.projectID); "
                            + "set the project of FirebaseOptions"))
            }
            return .success(name.key)
        }
        self = try key.get()
    }
}
