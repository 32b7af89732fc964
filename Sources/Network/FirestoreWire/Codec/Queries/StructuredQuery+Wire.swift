// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The oneof of a query below its parent, as in RunQuery, PartitionQuery and listen targets.
struct QueryParts {
    private var query = EmbeddedMessage()

    mutating func merge(_ field: MessageField) { query.merge(field) }

    func query(under parent: DocumentKey?, of names: DocumentNames) throws(FirestoreError) -> StructuredQuery {
        guard let bytes = query.bytes else { throw .invalidArgument("the request has no structured_query") }
        return try StructuredQuery(wire: bytes, under: parent, of: names)
    }
}

extension StructuredQuery {
    /// Reads a query. Checks its form (QR-2, QR-15, QR-55, QR-56); `QueryCheck` checks everything else.
    init(wire bytes: ByteSlice, under parent: DocumentKey?, of names: DocumentNames) throws(FirestoreError) {
        var select = EmbeddedMessage()
        var from: [ByteSlice] = []
        var filter = EmbeddedMessage()
        var orders: [ByteSlice] = []
        var start = EmbeddedMessage()
        var end = EmbeddedMessage()
        var offset: Int32 = 0
        var limit = EmbeddedMessage()
        var nearest = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: select.merge(field)
            case 2: field.append(to: &from)
            case 3: filter.merge(field)
            case 4: field.append(to: &orders)
            case 5: limit.merge(field)
            case 6: field.read(&offset)
            case 7: start.merge(field)
            case 8: end.merge(field)
            case 9: nearest.merge(field)
            default: break
            }
        }
        try Limit.orders.check(orders.count)
        self.init(scope: try Self.scope(from, under: parent))
        if let bytes = filter.bytes {
            var filters = FilterReader(names: names)
            self.filter = try filters.filter(bytes, depth: 0)
        }
        self.orders.reserveCapacity(orders.count)
        for order in orders { self.orders.append(try SortOrder(wire: order)) }
        if let bytes = start.bytes { self.start = try QueryBound(wire: bytes, called: "start_at", in: names) }
        if let bytes = end.bytes { self.end = try QueryBound(wire: bytes, called: "end_at", in: names) }
        self.offset = Int(offset)
        self.limit = try limit.wrappedInteger.map { Int(Int32(truncatingIfNeeded: $0)) }
        if let bytes = select.bytes { projection = try Self.projection(bytes) }
        if let bytes = nearest.bytes { self.nearest = try VectorSearch(wire: bytes) }
    }

    /// The scope of the query: a collection, a collection group or all collections below the parent (QR-2).
    private static func scope(_ from: [ByteSlice], under parent: DocumentKey?) throws(FirestoreError) -> QueryScope {
        guard from.count <= 1 else {
            throw .invalidArgument("a query has at most one collection selector, this one has \(from.count)")
        }
        var collectionID = ""
        var allDescendants = false
        if let selector = from.first {
            var reader = MessageReader(selector)
            while let field = try reader.next() {
                switch field.number {
                case 2: try field.read(&collectionID)
                case 3: field.read(&allDescendants)
                default: break
                }
            }
        }
        if collectionID.utf8.isEmpty { return .kindless(under: parent, allDescendants: allDescendants) }
        try PathCheck.collectionID(collectionID)
        return allDescendants
            ? .collectionGroup(id: collectionID, under: parent)
            : .collection(CollectionPath(parent: parent, id: collectionID))
    }

    /// An empty list of fields means all of them (QR-43).
    private static func projection(_ bytes: ByteSlice) throws(FirestoreError) -> [FieldPathSegments]? {
        var paths: [FieldPathSegments] = []
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            guard field.number == 2, let reference = field.bytes else { continue }
            try Limit.readMask.check(paths.count + 1)
            paths.append(try FieldPathSegments(reference: reference))
        }
        return paths.isEmpty ? nil : paths
    }
}

extension FieldPathSegments {
    /// Reads a `FieldReference`.
    init(reference bytes: ByteSlice) throws(FirestoreError) {
        var path = ""
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            if field.number == 2 { try field.read(&path) }
        }
        self = try PathCheck.fieldPath(wire: path)
    }
}

extension EmbeddedMessage {
    /// A field that must be present.
    func fieldReference(of what: String) throws(FirestoreError) -> FieldPathSegments {
        guard let bytes else { throw .invalidArgument("\(what) does not name a field") }
        return try FieldPathSegments(reference: bytes)
    }

    /// The content of `google.protobuf.Int32Value` or `Int64Value`; nil if the message is missing, 0 if it is empty.
    var wrappedInteger: Int64? {
        get throws(FirestoreError) {
            guard let bytes else { return nil }
            var value: Int64 = 0
            var reader = MessageReader(bytes)
            while let field = try reader.next() {
                if field.number == 1 { field.read(&value) }
            }
            return value
        }
    }

    /// The content of `google.protobuf.DoubleValue`.
    var wrappedDouble: Double? {
        get throws(FirestoreError) {
            guard let bytes else { return nil }
            var value = 0.0
            var reader = MessageReader(bytes)
            while let field = try reader.next() {
                if field.number == 1 { field.read(&value) }
            }
            return value
        }
    }
}

extension SortOrder {
    init(wire bytes: ByteSlice) throws(FirestoreError) {
        var reference = EmbeddedMessage()
        var direction: Int32 = 0
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: reference.merge(field)
            case 2: field.read(&direction)
            default: break
            }
        }
        let path = try reference.fieldReference(of: "an order")
        switch direction {
        // Unspecified is ascending (QR-31).
        case 0, 1: self.init(path: path)
        case 2: self.init(path: path, direction: .descending)
        default: throw .invalidArgument("the direction of an order is ASCENDING or DESCENDING", at: path.canonical)
        }
    }
}

extension QueryBound {
    init(wire bytes: ByteSlice, called name: String, in names: DocumentNames) throws(FirestoreError) {
        var values: [ValueBytes] = []
        var before = false
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1:
                guard let value = field.bytes else { break }
                try Limit.cursorValues.check(values.count + 1, at: name)
                values.append(try ValueBytes(wire: value, in: name))
            case 2: field.read(&before)
            default: break
            }
        }
        self.init(values: values, before: before)
    }
}
