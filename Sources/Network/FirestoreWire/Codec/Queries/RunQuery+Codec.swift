// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension RunQueryRequest: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var parent = ByteSlice.empty
        var query = QueryParts()
        var consistency = ConsistencyParts()
        var explain = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&parent)
            case 2: query.merge(field)
            case 5: consistency.take(field, as: .transaction)
            case 6: consistency.take(field, as: .newTransaction)
            case 7: consistency.take(field, as: .readTime)
            case 10: explain.merge(field)
            default: break
            }
        }
        let (database, key) = try ResourceName.parent(parent)
        self.init(
            database: database, query: try query.query(under: key, of: DocumentNames(in: database)),
            consistency: try consistency.selector, explain: try explain.explainOptions)
    }

    package func encoded() -> [UInt8] {
        Self.bytes { writer in
            writer.explainOptions(10, explain)
            writer.consistency(consistency, transaction: 5, newTransaction: 6, readTime: 7)
            writer.query(2, query)
            writer.parentName(1, database, query.scope.parent)
        }
    }
}

extension RunQueryResponse: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var document = EmbeddedMessage()
        var transaction = ByteSlice.empty
        var readTime = EmbeddedMessage()
        var skipped: Int32 = 0
        var explanation = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: document.merge(field)
            case 2: field.read(&transaction)
            case 3: readTime.merge(field)
            case 4: field.read(&skipped)
            case 11: explanation.merge(field)
            default: break
            }
        }
        self.init(
            database: .unnamed, transaction: transaction.isEmpty ? nil : transaction, readTime: try readTime.version,
            skippedResults: Int(skipped))
        if let bytes = document.bytes { self.document = try Document(wire: bytes, database: &database) }
        if let bytes = explanation.bytes { self.explanation = try QueryExplanation(wire: bytes) }
    }

    package func encoded() -> [UInt8] {
        Self.bytes(reserving: (document?.messageSize(in: database) ?? 64) + 64) { writer in
            writer.explanation(11, explanation)
            writer.integer(4, skippedResults)
            writer.timestamp(3, readTime)
            if let transaction { writer.data(2, transaction) }
            if let document { writer.document(1, database, document) }
        }
    }
}
