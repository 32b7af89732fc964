// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The key of an entity: the project, the database, and the path of the document.
struct EntityKey {
    private(set) var project = ""
    private(set) var databaseID = DatabaseID.defaultDatabase
    /// `cities/SF/landmarks/bridge`
    private(set) var path = ""

    /// Reads a `Reference`, the type of an entity's own key.
    init(_ bytes: UnsafeRawBufferPointer) throws(EntityProblem) {
        var fields = MessageFields(bytes)
        while let (number, payload) = try fields.next() {
            switch (number, payload) {
            case (EntityField.path, .bytes(let bytes)):
                var elements = MessageFields(bytes)
                while let (number, payload) = try elements.next() {
                    guard number == EntityField.element, case .group(let element) = payload else { throw EntityProblem(.malformed) }
                    try append(
                        element, type: EntityField.elementType, id: EntityField.elementID, name: EntityField.elementName)
                }
            default: try take(number, payload)
            }
        }
        if path.isEmpty { throw EntityProblem(.noPath) }
    }

    /// Reads the fields of a `ReferenceValue`, the type of a reference in a property.
    init(reference bytes: UnsafeRawBufferPointer) throws(EntityProblem) {
        var fields = MessageFields(bytes)
        while let (number, payload) = try fields.next() {
            switch (number, payload) {
            case (EntityField.path, .group(let element)):
                try append(
                    element, type: EntityField.referenceType, id: EntityField.referenceID, name: EntityField.referenceName)
            default: try take(number, payload)
            }
        }
        if path.isEmpty { throw EntityProblem(.noPath) }
    }

    /// The fields that both have in common.
    private mutating func take(_ number: Int, _ payload: MessageFields.Payload) throws(EntityProblem) {
        switch (number, payload) {
        case (EntityField.app, .bytes(let bytes)):
            let app = try Self.text(bytes)
            // `s~project`: the location of the project's data precedes a tilde.
            project = app.utf8.lastIndex(of: UInt8(ascii: "~")).map { String(app[app.utf8.index(after: $0)...]) } ?? app
        case (EntityField.namespace, .bytes(let bytes)): if !bytes.isEmpty { throw EntityProblem(.namespace) }
        case (EntityField.database, .bytes(let bytes)): if !bytes.isEmpty { databaseID = try Self.text(bytes) }
        case (EntityField.app, _), (EntityField.namespace, _), (EntityField.database, _), (EntityField.path, _):
            throw EntityProblem(.malformed)
        default: break
        }
    }

    private mutating func append(
        _ element: UnsafeRawBufferPointer, type: Int, id: Int, name: Int
    ) throws(EntityProblem) {
        var collection: String?
        var document: String?
        var fields = MessageFields(element)
        while let (number, payload) = try fields.next() {
            switch (number, payload) {
            case (type, .bytes(let bytes)): collection = try Self.text(bytes)
            // Ids that are numbers (DM-6).
            case (id, .varint(let bits)): document = "__id\(Int64(bitPattern: bits))__"
            case (name, .bytes(let bytes)): document = try Self.text(bytes)
            default: throw EntityProblem(.malformed)
            }
        }
        let slash = UInt8(ascii: "/")
        guard let collection, let document, !collection.utf8.contains(slash), !document.utf8.contains(slash) else {
            throw EntityProblem(.noPath)
        }
        path += (path.isEmpty ? "" : "/") + collection + "/" + document
        // The limit of DM-10; a longer path only costs time.
        guard path.utf8.count <= 4 * Limits.documentNameBytes else { throw EntityProblem(.noPath) }
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) throws(EntityProblem) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw EntityProblem(.badText) }
        return text
    }

    /// The full name. A name in the database `owner`, which is being imported into `target`, becomes a name in
    /// `target`.
    func name(from owner: EntityKey, in target: DatabaseID) -> String {
        let isAtHome = equalUTF8(project, owner.project) && equalUTF8(databaseID, owner.databaseID)
        let database = isAtHome ? target : DatabaseID(projectID: project, databaseID: databaseID)
        return database.documentsPrefix + path
    }
}
