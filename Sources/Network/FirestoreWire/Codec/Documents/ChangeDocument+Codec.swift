// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension CreateDocumentRequest: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var (parent, collectionID, documentID) = (ByteSlice.empty, "", "")
        var document = EmbeddedMessage()
        var mask = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&parent)
            case 2: try field.read(&collectionID)
            case 3: try field.read(&documentID)
            case 4: document.merge(field)
            case 5: mask.merge(field)
            default: break
            }
        }
        let (database, key) = try ResourceName.parent(parent)
        try PathCheck.collectionID(collectionID)
        if !documentID.utf8.isEmpty { try PathCheck.documentID(documentID) }
        let parts = try DocumentParts(document.bytes ?? .empty)
        guard parts.name.isEmpty else {
            throw .invalidArgument("a document to be created has no name; its id goes into document_id")
        }
        self.init(
            database: database, parent: key, collectionID: collectionID, documentID: documentID,
            fields: try FieldBytes(wire: parts.fields, of: Self.key(key, collectionID, documentID)),
            mask: try mask.fieldPaths(.readMask))
    }

    /// The key, or one of the same length where the server will choose the id (DM-14).
    private static func key(_ parent: DocumentKey?, _ collectionID: String, _ id: String) throws(FirestoreError) -> DocumentKey {
        let key = DocumentKey(
            collection: CollectionPath(parent: parent, id: collectionID), id: id.utf8.isEmpty ? "(automatic document)" : id)
        try PathCheck.check(key)
        return key
    }

    package func encoded() -> [UInt8] {
        Self.bytes(reserving: fields.bytes.count + 256) { writer in
            writer.mask(5, mask)
            writer.element(4, fields.bytes)
            writer.text(3, documentID)
            writer.text(2, collectionID)
            writer.parentName(1, database, parent)
        }
    }
}

extension UpdateDocumentRequest: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var document = EmbeddedMessage()
        var updateMask = EmbeddedMessage()
        var mask = EmbeddedMessage()
        var precondition = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: document.merge(field)
            case 2: updateMask.merge(field)
            case 3: mask.merge(field)
            case 4: precondition.merge(field)
            default: break
            }
        }
        let parts = try DocumentParts(document.bytes ?? .empty)
        let (database, key) = try ResourceName.document(parts.name)
        let fields = try FieldBytes(wire: parts.fields, of: key)
        let paths = try updateMask.fieldPaths(.writeMask)
        let write = Write(
            key: key, operation: paths.map { .patch(fields, mask: $0) } ?? .set(fields),
            precondition: try precondition.precondition)
        self.init(database: database, write: write, mask: try mask.fieldPaths(.readMask))
    }

    package func encoded() -> [UInt8] {
        let (fields, paths): (FieldBytes, [FieldPathSegments]?) =
            switch write.operation {
            case .set(let fields): (fields, nil)
            case .patch(let fields, let mask): (fields, mask)
            case .delete, .verify: (.empty, nil)
            }
        return Self.bytes(reserving: fields.bytes.count + 256) { writer in
            writer.precondition(4, write.precondition)
            writer.mask(3, mask)
            writer.mask(2, paths)
            writer.message(1) { writer in
                writer.raw(fields.bytes)
                writer.documentName(1, database, write.key)
            }
        }
    }
}

extension DeleteDocumentRequest: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var name = ByteSlice.empty
        var precondition = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&name)
            case 2: precondition.merge(field)
            default: break
            }
        }
        let (database, key) = try ResourceName.document(name)
        self.init(
            database: database, write: Write(key: key, operation: .delete, precondition: try precondition.precondition))
    }

    package func encoded() -> [UInt8] {
        Self.bytes { writer in
            writer.precondition(2, write.precondition)
            writer.documentName(1, database, write.key)
        }
    }
}
