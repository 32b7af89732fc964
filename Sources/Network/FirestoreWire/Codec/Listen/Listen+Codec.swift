// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension ListenRequest: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var database = ByteSlice.empty
        var change = OneofField()
        var labels: [(name: String, value: String)] = []
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&database)
            case 2: change.take(message: field)
            case 3: change.take(varint: field)
            case 4:
                guard let entry = field.bytes else { break }
                try Limit.labels.check(labels.count + 1)
                labels.append(try Self.label(entry))
            default: break
            }
        }
        let names = DocumentNames(in: try ResourceName.database(database))
        switch change.number {
        case 2:
            self.init(
                database: names.database, change: .add(try ListenTargetRequest(wire: change.bytes, in: names)), labels: labels)
        case 3:
            self.init(
                database: names.database, change: .remove(targetID: Int32(truncatingIfNeeded: change.bits)), labels: labels)
        default: throw .invalidArgument("a listen request needs add_target or remove_target")
        }
    }

    /// An entry of the map of labels, which requests of both streams have.
    static func label(_ bytes: ByteSlice) throws(FirestoreError) -> (name: String, value: String) {
        var (name, value) = ("", "")
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            if field.number == 1 { try field.read(&name) }
            if field.number == 2 { try field.read(&value) }
        }
        return (name, value)
    }

    package func encoded() -> [UInt8] {
        Self.bytes { writer in
            for (name, value) in labels.reversed() {
                writer.message(4) { writer in
                    writer.text(2, value)
                    writer.text(1, name)
                }
            }
            switch change {
            case .add(let target): writer.target(2, target, database)
            case .remove(let id): writer.element(3, id)
            }
            writer.databaseName(1, database)
        }
    }
}

extension ListenResponse: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var response = OneofField()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            if (2...6).contains(field.number) { response.take(message: field) }
        }
        switch response.number {
        case 2: self = .targetChange(try TargetChange(wire: response.bytes))
        case 3: self = try Self.documentChange(response.bytes)
        case 4:
            let departure = try Departure(wire: response.bytes, removedFrom: 6)
            self = .documentDelete(
                departure.database, departure.key, removedFrom: departure.targets, readTime: departure.readTime)
        case 5: self = .filter(try ExistenceFilter(wire: response.bytes))
        case 6:
            let departure = try Departure(wire: response.bytes, removedFrom: 2)
            self = .documentRemove(
                departure.database, departure.key, removedFrom: departure.targets, readTime: departure.readTime)
        default: throw .invalidArgument("a listen response is empty or of an unknown kind")
        }
    }

    private static func documentChange(_ bytes: ByteSlice) throws(FirestoreError) -> ListenResponse {
        var document = EmbeddedMessage()
        var (targets, removedFrom): ([Int32], [Int32]) = ([], [])
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: document.merge(field)
            case 5: try field.append(to: &targets)
            case 6: try field.append(to: &removedFrom)
            default: break
            }
        }
        var database = DatabaseID.unnamed
        let changed = try Document(wire: document.bytes ?? .empty, database: &database)
        return .documentChange(database, changed, targets: targets, removedFrom: removedFrom)
    }

    /// The fields that `DocumentDelete` and `DocumentRemove` have in common.
    private struct Departure {
        var database = DatabaseID.unnamed
        let key: DocumentKey
        var targets: [Int32] = []
        let readTime: DocumentVersion?

        init(wire bytes: ByteSlice, removedFrom number: UInt32) throws(FirestoreError) {
            var name = ByteSlice.empty
            var time = EmbeddedMessage()
            var reader = MessageReader(bytes)
            while let field = try reader.next() {
                switch field.number {
                case 1: field.read(&name)
                case 4: time.merge(field)
                case number: try field.append(to: &targets)
                default: break
                }
            }
            key = try DocumentNames.key(name, database: &database)
            readTime = try time.version
        }
    }

    package func encoded() -> [UInt8] {
        var size = 192
        if case .documentChange(let database, let document, _, _) = self { size += document.messageSize(in: database) }
        return Self.bytes(reserving: size) { writer in
            switch self {
            case .targetChange(let change): writer.targetChange(2, change)
            case .documentChange(let database, let document, let targets, let removedFrom):
                writer.message(3) { writer in
                    writer.packed(6, removedFrom)
                    writer.packed(5, targets)
                    writer.document(1, database, document)
                }
            case .documentDelete(let database, let key, let removedFrom, let readTime):
                writer.message(4) { writer in
                    writer.packed(6, removedFrom)
                    writer.timestamp(4, readTime)
                    writer.documentName(1, database, key)
                }
            case .documentRemove(let database, let key, let removedFrom, let readTime):
                writer.message(6) { writer in
                    writer.timestamp(4, readTime)
                    writer.packed(2, removedFrom)
                    writer.documentName(1, database, key)
                }
            case .filter(let filter): writer.filter(5, filter)
            }
        }
    }
}
