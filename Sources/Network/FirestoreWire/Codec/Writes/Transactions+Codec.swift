// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension BeginTransactionRequest: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var database = ByteSlice.empty
        var options = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&database)
            case 2: options.merge(field)
            default: break
            }
        }
        // Read-write unless it states otherwise (TX-1).
        self.init(
            database: try ResourceName.database(database),
            options: try RequestedTransactionMode(wire: options.bytes ?? .empty) ?? .readWrite(retrying: nil))
    }

    package func encoded() -> [UInt8] {
        Self.bytes { writer in
            writer.transactionOptions(2, options)
            writer.databaseName(1, database)
        }
    }
}

extension BeginTransactionResponse: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var transaction = ByteSlice.empty
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            if field.number == 1 { field.read(&transaction) }
        }
        self.init(transaction: transaction)
    }

    package func encoded() -> [UInt8] { Self.bytes(reserving: 32) { $0.data(1, transaction) } }
}

extension RollbackRequest: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var (database, transaction) = (ByteSlice.empty, ByteSlice.empty)
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&database)
            case 2: field.read(&transaction)
            default: break
            }
        }
        self.init(database: try ResourceName.database(database), transaction: transaction)
    }

    package func encoded() -> [UInt8] {
        Self.bytes { writer in
            writer.data(2, transaction)
            writer.databaseName(1, database)
        }
    }
}
