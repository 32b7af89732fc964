// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension GetDocumentRequest: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var name = ByteSlice.empty
        var mask = EmbeddedMessage()
        var consistency = ConsistencyParts()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&name)
            case 2: mask.merge(field)
            case 3: consistency.take(field, as: .transaction)
            case 5: consistency.take(field, as: .readTime)
            default: break
            }
        }
        let (database, key) = try ResourceName.document(name)
        self.init(database: database, key: key, mask: try mask.fieldPaths(.readMask), consistency: try consistency.selector)
    }

    package func encoded() -> [UInt8] {
        Self.bytes { writer in
            writer.consistency(consistency, transaction: 3, newTransaction: nil, readTime: 5)
            writer.mask(2, mask)
            writer.documentName(1, database, key)
        }
    }
}

extension DocumentResponse: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var database = DatabaseID.unnamed
        let document = try Document(wire: bytes, database: &database)
        self.init(database: database, document: document)
    }

    package func encoded() -> [UInt8] {
        Self.bytes(reserving: document.messageSize(in: database)) { $0.body(of: document, database) }
    }
}
