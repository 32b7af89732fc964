// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension ListenTargetRequest {
    /// Reads a `Target`. An error in its request is stored in it (LS-9).
    init(wire bytes: ByteSlice, in names: DocumentNames) throws(FirestoreError) {
        var target = OneofField()
        var resume = OneofField()
        var targetID: Int32 = 0
        var once = false
        var expectedCount = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 2, 3, 13: target.take(message: field)
            case 4: resume.take(bytes: field)
            case 5: field.read(&targetID)
            case 6: field.read(&once)
            case 11: resume.take(message: field)
            case 12: expectedCount.merge(field)
            default: break
            }
        }
        var start = Start.beginning
        let result: Result<Target, FirestoreError>
        do {
            if resume.number == 11 { start = .readTime(try TimestampValue(wire: resume.bytes, called: "read_time")) }
            result = .success(try Self.target(target, in: names))
        } catch {
            result = .failure(error)
        }
        // Some clients send an empty token for none.
        if resume.number == 4, !resume.bytes.isEmpty { start = .resumeToken(resume.bytes) }
        self.init(
            target: result, targetID: targetID, start: start, once: once,
            expectedCount: try expectedCount.wrappedInteger.map { Int($0) })
    }

    /// A query or a list of documents (LS-2), in the database of the stream (DM-4).
    private static func target(_ target: OneofField, in names: DocumentNames) throws(FirestoreError) -> Target {
        switch target.number {
        case 2:
            var parent = ByteSlice.empty
            var query = QueryParts()
            var reader = MessageReader(target.bytes)
            while let field = try reader.next() {
                if field.number == 1 { field.read(&parent) }
                if field.number == 2 { query.merge(field) }
            }
            let (database, key) = try ResourceName.parent(parent)
            guard database.hasSameBytes(as: names.database) else {
                throw .invalidArgument("the target's query is for another database than the stream")
            }
            return .query(try query.query(under: key, of: names))
        case 3:
            var keys: [DocumentKey] = []
            var reader = MessageReader(target.bytes)
            while let field = try reader.next() {
                guard field.number == 2, let name = field.bytes else { continue }
                try Limit.listenDocuments.check(keys.count + 1)
                keys.append(try names.key(name))
            }
            return .documents(keys)
        case 13: throw FirestoreError(.unimplemented, "pipelines cannot be listened to here; listen to a query")
        default: throw .invalidArgument("the target is neither a query nor a list of documents")
        }
    }
}

extension DatabaseID {
    func hasSameBytes(as other: DatabaseID) -> Bool {
        equalUTF8(projectID, other.projectID) && equalUTF8(databaseID, other.databaseID)
    }
}

extension ReverseWriter {
    mutating func target(_ number: Int, _ target: ListenTargetRequest, _ database: DatabaseID) {
        message(number) { writer in
            if let count = target.expectedCount { writer.message(12) { $0.integer(1, count) } }
            if case .readTime(let time) = target.start { writer.timestamp(11, time) }
            writer.flag(6, target.once)
            writer.integer(5, target.targetID)
            if case .resumeToken(let token) = target.start { writer.element(4, token) }
            switch target.target {
            case .success(.documents(let keys)):
                writer.message(3) { writer in
                    for key in keys.reversed() { writer.documentName(2, database, key) }
                }
            case .success(.query(let query)):
                writer.message(2) { writer in
                    writer.query(2, query)
                    writer.parentName(1, database, query.scope.parent)
                }
            case .failure: break
            }
        }
    }
}
