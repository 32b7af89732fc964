// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The oneof `consistency_selector`, whose members have different numbers in every message.
struct ConsistencyParts {
    enum Member { case latest, transaction, newTransaction, readTime }

    private var member = Member.latest
    private var message = EmbeddedMessage()

    mutating func take(_ field: MessageField, as member: Member) {
        guard let part = field.bytes else { return }
        if member != self.member || member == .transaction { message = EmbeddedMessage() }
        self.member = member
        message.merge(part)
    }

    var selector: ConsistencySelector {
        get throws(FirestoreError) {
            let bytes = message.bytes ?? .empty
            switch member {
            case .latest: return .latest
            case .transaction: return .transaction(bytes)
            // A transaction that begins with a read is read-only unless it states otherwise (TX-1).
            case .newTransaction: return .newTransaction(try RequestedTransactionMode(wire: bytes) ?? .readOnly(at: nil))
            case .readTime: return .readTime(try TimestampValue(wire: bytes, called: "read_time"))
            }
        }
    }
}

extension RequestedTransactionMode {
    /// nil if no mode is set.
    init?(wire bytes: ByteSlice) throws(FirestoreError) {
        var mode = OneofField()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            if field.number == 2 || field.number == 3 { mode.take(message: field) }
        }
        switch mode.number {
        case 2: self = .readOnly(at: try Self.readTime(mode.bytes))
        case 3: self = .readWrite(retrying: try Self.retried(mode.bytes))
        default: return nil
        }
    }

    private static func readTime(_ bytes: ByteSlice) throws(FirestoreError) -> TimestampValue? {
        var time = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            if field.number == 2 { time.merge(field) }
        }
        guard let bytes = time.bytes else { return nil }
        return try TimestampValue(wire: bytes, called: "read_time")
    }

    private static func retried(_ bytes: ByteSlice) throws(FirestoreError) -> ByteSlice? {
        var transaction = ByteSlice.empty
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            if field.number == 1 { field.read(&transaction) }
        }
        return transaction.isEmpty ? nil : transaction
    }
}

extension ReverseWriter {
    mutating func transactionOptions(_ number: Int, _ options: RequestedTransactionMode) {
        message(number) { writer in
            switch options {
            case .readOnly(let time): writer.message(2) { writer in if let time { writer.timestamp(2, time) } }
            case .readWrite(let retried): writer.message(3) { writer in if let retried { writer.data(1, retried) } }
            }
        }
    }

    /// Writes the selector with the numbers that its members have in the message; nil for those it does not have.
    mutating func consistency(
        _ selector: ConsistencySelector, transaction: Int?, newTransaction: Int?, readTime: Int?
    ) {
        switch selector {
        case .latest: break
        case .transaction(let id): if let transaction { element(transaction, id) }
        case .newTransaction(let options): if let newTransaction { transactionOptions(newTransaction, options) }
        case .readTime(let time): if let readTime { timestamp(readTime, time) }
        }
    }
}
