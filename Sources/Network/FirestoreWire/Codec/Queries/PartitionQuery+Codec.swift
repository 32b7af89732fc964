// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension PartitionQueryRequest: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var (parent, pageToken) = (ByteSlice.empty, "")
        var query = QueryParts()
        var partitionCount: Int64 = 0
        var pageSize: Int32 = 0
        var readTime = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&parent)
            case 2: query.merge(field)
            case 3: field.read(&partitionCount)
            case 4: try field.read(&pageToken)
            case 5: field.read(&pageSize)
            case 6: readTime.merge(field)
            default: break
            }
        }
        let (database, key) = try ResourceName.parent(parent)
        self.init(
            database: database, query: try query.query(under: key, of: DocumentNames(in: database)),
            partitionCount: Int(partitionCount), pageSize: try Self.checked(pageSize), pageToken: pageToken,
            readTime: try readTime.readTime)
    }

    package func encoded() -> [UInt8] {
        Self.bytes { writer in
            if let readTime { writer.timestamp(6, readTime) }
            writer.integer(5, pageSize)
            writer.text(4, pageToken)
            writer.integer(3, partitionCount)
            writer.query(2, query)
            writer.parentName(1, database, query.scope.parent)
        }
    }
}

extension PartitionQueryResponse: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var database = DatabaseID.unnamed
        var cuts: [DocumentKey] = []
        var nextPageToken = ""
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: if let bytes = field.bytes { cuts.append(try Self.cut(bytes, database: &database)) }
            case 2: try field.read(&nextPageToken)
            default: break
            }
        }
        self.init(database: database, cuts: cuts, nextPageToken: nextPageToken)
    }

    /// A cursor of one reference (QR-70).
    private static func cut(_ bytes: ByteSlice, database: inout DatabaseID) throws(FirestoreError) -> DocumentKey {
        let cursor = try QueryBound(wire: bytes, called: "a partition", in: DocumentNames(in: database))
        defer { withExtendedLifetime(cursor) {} }
        guard cursor.values.count == 1, let name = cursor.values[0].view.referenceBytes else {
            throw .invalidArgument("the cursor of a partition is not a single reference")
        }
        return try DocumentNames.key(ByteSlice(copying: name), database: &database)
    }

    package func encoded() -> [UInt8] {
        Self.bytes(reserving: 64 + cuts.count * 128) { writer in
            writer.text(2, nextPageToken)
            for cut in cuts.reversed() {
                writer.message(1) { writer in
                    writer.flag(2, true)
                    writer.message(1) { $0.documentName(5, database, cut) }
                }
            }
        }
    }
}
