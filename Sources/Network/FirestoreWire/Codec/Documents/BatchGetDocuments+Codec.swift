// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension BatchGetDocumentsRequest: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var database = ByteSlice.empty
        var documents: [ByteSlice] = []
        var mask = EmbeddedMessage()
        var consistency = ConsistencyParts()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&database)
            case 2: field.append(to: &documents)
            case 3: mask.merge(field)
            case 4: consistency.take(field, as: .transaction)
            case 5: consistency.take(field, as: .newTransaction)
            case 7: consistency.take(field, as: .readTime)
            default: break
            }
        }
        try Limit.batchGet.check(documents.count)
        let names = DocumentNames(in: try ResourceName.database(database))
        var keys: [DocumentKey] = []
        keys.reserveCapacity(documents.count)
        for document in documents { keys.append(try names.key(document)) }
        self.init(
            database: names.database, keys: keys, mask: try mask.fieldPaths(.readMask), consistency: try consistency.selector)
    }

    package func encoded() -> [UInt8] {
        Self.bytes(reserving: 256 + keys.count * 96) { writer in
            writer.consistency(consistency, transaction: 4, newTransaction: 5, readTime: 7)
            writer.mask(3, mask)
            for key in keys.reversed() { writer.documentName(2, database, key) }
            writer.databaseName(1, database)
        }
    }
}

extension BatchGetDocumentsResponse: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var result = OneofField()
        var transaction = ByteSlice.empty
        var readTime = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: result.take(message: field)
            case 2: result.take(bytes: field)
            case 3: field.read(&transaction)
            case 4: readTime.merge(field)
            default: break
            }
        }
        var database = DatabaseID.unnamed
        let outcome: Outcome
        switch result.number {
        case 1: outcome = .found(try Document(wire: result.bytes, database: &database))
        case 2: outcome = .missing(try DocumentNames.key(result.bytes, database: &database))
        default: outcome = .none
        }
        self.init(
            database: database, outcome: outcome, transaction: transaction.isEmpty ? nil : transaction,
            readTime: try readTime.version)
    }

    package func encoded() -> [UInt8] {
        var size = 256
        if case .found(let document) = outcome { size = document.messageSize(in: database) + 64 }
        return Self.bytes(reserving: size) { writer in
            writer.timestamp(4, readTime)
            if let transaction { writer.data(3, transaction) }
            switch outcome {
            case .found(let document): writer.document(1, database, document)
            case .missing(let key): writer.documentName(2, database, key)
            case .none: break
            }
        }
    }
}
