// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension WriteRequest: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var (database, streamID, streamToken) = (ByteSlice.empty, "", ByteSlice.empty)
        var writes: [ByteSlice] = []
        var labels: [(name: String, value: String)] = []
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&database)
            case 2: try field.read(&streamID)
            case 3: field.append(to: &writes)
            case 4: field.read(&streamToken)
            case 5:
                guard let entry = field.bytes else { break }
                try Limit.labels.check(labels.count + 1)
                labels.append(try ListenRequest.label(entry))
            default: break
            }
        }
        guard let named = try Self.database(database, writes) else {
            self.init(database: nil, streamID: streamID, streamToken: streamToken, labels: labels)
            return
        }
        self.init(
            database: named, streamID: streamID, streamToken: streamToken,
            writes: try [Write](wire: writes, in: DocumentNames(in: named)), labels: labels)
    }

    /// Only the first message of a stream must name the database; in later ones the writes name it, all the same one.
    private static func database(_ name: ByteSlice, _ writes: [ByteSlice]) throws(FirestoreError) -> DatabaseID? {
        if !name.isEmpty { return try ResourceName.database(name) }
        guard let first = writes.first else { return nil }
        var operation = OneofField()
        var reader = MessageReader(first)
        while let field = try reader.next() {
            switch field.number {
            case 1, 6: operation.take(message: field)
            case 2, 5: operation.take(bytes: field)
            default: break
            }
        }
        switch operation.number {
        case 1, 6:
            // The name is field 1 of both messages.
            var name = ByteSlice.empty
            var reader = MessageReader(operation.bytes)
            while let field = try reader.next() {
                if field.number == 1 { field.read(&name) }
            }
            return try ResourceName.document(name).database
        case 2, 5: return try ResourceName.document(operation.bytes).database
        default: throw .invalidArgument("a write is empty: it needs one of update, delete, verify and transform")
        }
    }

    package func encoded() -> [UInt8] {
        Self.bytes(reserving: writes.messageSize) { writer in
            for (name, value) in labels.reversed() {
                writer.message(5) { writer in
                    writer.text(2, value)
                    writer.text(1, name)
                }
            }
            writer.data(4, streamToken)
            if let database {
                for write in writes.reversed() { writer.write(3, write, database) }
            }
            writer.text(2, streamID)
            if let database { writer.databaseName(1, database) }
        }
    }
}

extension WriteResponse: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var (streamID, streamToken) = ("", ByteSlice.empty)
        var results: [WriteResult] = []
        var commitTime = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: try field.read(&streamID)
            case 2: field.read(&streamToken)
            case 3: try field.append(to: &results)
            case 4: commitTime.merge(field)
            default: break
            }
        }
        self.init(streamID: streamID, streamToken: streamToken, results: results, commitTime: try commitTime.version)
    }

    package func encoded() -> [UInt8] {
        Self.bytes(reserving: 64 + results.count * 24) { writer in
            writer.timestamp(4, commitTime)
            writer.results(3, results)
            writer.data(2, streamToken)
            writer.text(1, streamID)
        }
    }
}
