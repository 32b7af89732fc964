// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension ListDocumentsRequest: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var (parent, collectionID, pageToken, orderBy) = (ByteSlice.empty, "", "", "")
        var pageSize: Int32 = 0
        var showMissing = false
        var mask = EmbeddedMessage()
        var consistency = ConsistencyParts()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&parent)
            case 2: try field.read(&collectionID)
            case 3: field.read(&pageSize)
            case 4: try field.read(&pageToken)
            case 6: try field.read(&orderBy)
            case 7: mask.merge(field)
            case 8: consistency.take(field, as: .transaction)
            case 10: consistency.take(field, as: .readTime)
            case 12: field.read(&showMissing)
            default: break
            }
        }
        let (database, key) = try ResourceName.parent(parent)
        if !collectionID.utf8.isEmpty { try PathCheck.collectionID(collectionID) }
        self.init(
            database: database, parent: key, collectionID: collectionID, pageSize: try Self.checked(pageSize),
            pageToken: pageToken, orderBy: orderBy, mask: try mask.fieldPaths(.readMask), consistency: try consistency.selector,
            showMissing: showMissing)
    }

    package func encoded() -> [UInt8] {
        Self.bytes { writer in
            writer.flag(12, showMissing)
            writer.consistency(consistency, transaction: 8, newTransaction: nil, readTime: 10)
            writer.mask(7, mask)
            writer.text(6, orderBy)
            writer.text(4, pageToken)
            writer.integer(3, pageSize)
            writer.text(2, collectionID)
            writer.parentName(1, database, parent)
        }
    }
}

extension WireMessage {
    static func checked(_ pageSize: Int32) throws(FirestoreError) -> Int {
        guard pageSize >= 0 else { throw .invalidArgument("page_size must not be negative; 0 leaves it to the server") }
        return Int(pageSize)
    }
}

extension ListDocumentsResponse: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var database = DatabaseID.unnamed
        var entries: [Entry] = []
        var nextPageToken = ""
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1:
                guard let bytes = field.bytes else { break }
                let parts = try DocumentParts(bytes)
                let key = try DocumentNames.key(parts.name, database: &database)
                entries.append(parts.isMissing ? .missing(key) : .document(try parts.document(key)))
            case 2: try field.read(&nextPageToken)
            default: break
            }
        }
        self.init(database: database, entries: entries, nextPageToken: nextPageToken)
    }

    package func encoded() -> [UInt8] {
        Self.bytes(reserving: 4_096) { writer in
            writer.text(2, nextPageToken)
            for entry in entries.reversed() {
                switch entry {
                case .document(let document): writer.document(1, database, document)
                case .missing(let key): writer.message(1) { $0.documentName(1, database, key) }
                }
            }
        }
    }
}

extension ListCollectionIDsRequest: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var (parent, pageToken) = (ByteSlice.empty, "")
        var pageSize: Int32 = 0
        var readTime = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&parent)
            case 2: field.read(&pageSize)
            case 3: try field.read(&pageToken)
            case 4: readTime.merge(field)
            default: break
            }
        }
        let (database, key) = try ResourceName.parent(parent)
        self.init(
            database: database, parent: key, pageSize: try Self.checked(pageSize), pageToken: pageToken,
            readTime: try readTime.readTime)
    }

    package func encoded() -> [UInt8] {
        Self.bytes { writer in
            if let readTime { writer.timestamp(4, readTime) }
            writer.text(3, pageToken)
            writer.integer(2, pageSize)
            writer.parentName(1, database, parent)
        }
    }
}

extension EmbeddedMessage {
    /// The `read_time` of a request, if it is there.
    var readTime: TimestampValue? {
        get throws(FirestoreError) {
            guard let bytes else { return nil }
            return try TimestampValue(wire: bytes, called: "read_time")
        }
    }
}

extension ListCollectionIDsMessage: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var ids: [String] = []
        var nextPageToken = ""
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: try field.append(to: &ids)
            case 2: try field.read(&nextPageToken)
            default: break
            }
        }
        self.init(ids: ids, nextPageToken: nextPageToken)
    }

    package func encoded() -> [UInt8] {
        Self.bytes { writer in
            writer.text(2, nextPageToken)
            for id in ids.reversed() { writer.element(1, id) }
        }
    }
}

extension EmptyMessage: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var reader = MessageReader(bytes)
        while try reader.next() != nil {}
        self.init()
    }

    package func encoded() -> [UInt8] { [] }
}
