// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension CommitRequest: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var (database, transaction) = (ByteSlice.empty, ByteSlice.empty)
        var writes: [ByteSlice] = []
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&database)
            case 2: field.append(to: &writes)
            case 3: field.read(&transaction)
            default: break
            }
        }
        let names = DocumentNames(in: try ResourceName.database(database))
        self.init(
            database: names.database, writes: try [Write](wire: writes, in: names),
            transaction: transaction.isEmpty ? nil : transaction)
    }

    package func encoded() -> [UInt8] {
        Self.bytes(reserving: writes.messageSize) { writer in
            if let transaction { writer.data(3, transaction) }
            for write in writes.reversed() { writer.write(2, write, database) }
            writer.databaseName(1, database)
        }
    }
}

extension CommitMessage: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var results: [WriteResult] = []
        var commitTime = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: try field.append(to: &results)
            case 2: commitTime.merge(field)
            default: break
            }
        }
        self.init(results: results, commitTime: try commitTime.version)
    }

    package func encoded() -> [UInt8] {
        Self.bytes(reserving: 32 + results.count * 24) { writer in
            writer.timestamp(2, commitTime)
            writer.results(1, results)
        }
    }
}

extension BatchWriteRequest: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var database = ByteSlice.empty
        var writes: [ByteSlice] = []
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&database)
            case 2: field.append(to: &writes)
            default: break
            }
        }
        let names = DocumentNames(in: try ResourceName.database(database))
        self.init(database: names.database, writes: try [Write](wire: writes, in: names))
    }

    package func encoded() -> [UInt8] {
        Self.bytes(reserving: writes.messageSize) { writer in
            for write in writes.reversed() { writer.write(2, write, database) }
            writer.databaseName(1, database)
        }
    }
}

extension BatchWriteResponse: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var results: [WriteResult] = []
        var statuses: [FirestoreError?] = []
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: try field.append(to: &results)
            case 2: if let bytes = field.bytes { statuses.append(try FirestoreError(status: bytes)) }
            default: break
            }
        }
        guard results.count == statuses.count else {
            throw .invalidArgument("the answer to BatchWrite has \(results.count) results and \(statuses.count) statuses")
        }
        self.init(results: zip(results, statuses).map { result, status in status.map { .failure($0) } ?? .success(result) })
    }

    package func encoded() -> [UInt8] {
        Self.bytes(reserving: 32 + results.count * 32) { writer in
            for result in results.reversed() {
                switch result {
                case .success: writer.message(2) { _ in }
                case .failure(let error): writer.status(2, error)
                }
            }
            for result in results.reversed() {
                switch result {
                case .success(let result): writer.result(1, result)
                case .failure: writer.message(1) { _ in }
                }
            }
        }
    }
}
