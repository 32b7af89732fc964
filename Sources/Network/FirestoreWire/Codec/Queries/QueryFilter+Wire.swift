// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Reads filters, and counts them.
struct FilterReader {
    let names: DocumentNames
    private var comparisons = 0
    private var composites = 0

    init(names: DocumentNames) { self.names = names }

    /// The depth that protobuf parsers accept; a query with more levels than components is invalid anyway (QR-26).
    private static let deepest = Limits.queryComponents

    mutating func filter(_ bytes: ByteSlice, depth: Int) throws(FirestoreError) -> QueryFilter {
        guard depth <= Self.deepest else {
            throw .invalidArgument("the filter nests AND and OR more than \(Self.deepest) levels deep; flatten it")
        }
        var filter = OneofField()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            if (1...3).contains(field.number) { filter.take(message: field) }
        }
        switch filter.number {
        case 1:
            // One that combines a single filter counts, too.
            composites += 1
            try Limit.components.check(composites)
            return try composite(filter.bytes, depth: depth)
        case 2, 3:
            comparisons += 1
            try Limit.components.check(comparisons)
            return try filter.number == 2 ? Self.field(filter.bytes, in: names) : Self.unary(filter.bytes)
        default: throw .invalidArgument("a filter is empty: it needs a composite, field or unary filter")
        }
    }

    private mutating func composite(_ bytes: ByteSlice, depth: Int) throws(FirestoreError) -> QueryFilter {
        var op: Int32 = 0
        var parts: [ByteSlice] = []
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&op)
            case 2: field.append(to: &parts)
            default: break
            }
        }
        var filters: [QueryFilter] = []
        filters.reserveCapacity(parts.count)
        for part in parts { filters.append(try filter(part, depth: depth + 1)) }
        switch op {
        case 1: return .and(filters)
        case 2: return .or(filters)
        default: throw .invalidArgument("the operator of a composite filter is AND or OR")
        }
    }

    private static func field(_ bytes: ByteSlice, in names: DocumentNames) throws(FirestoreError) -> QueryFilter {
        var reference = EmbeddedMessage()
        var op: Int32 = 0
        var operand = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: reference.merge(field)
            case 2: field.read(&op)
            case 3: operand.merge(field)
            default: break
            }
        }
        let path = try reference.fieldReference(of: "a filter")
        let location = "filter on \(path.canonical)"
        guard let op = QueryFilter.FieldOperator(wire: op) else {
            throw .invalidArgument("the filter has no operator, or an unknown one", at: location)
        }
        guard let operand = operand.bytes else { throw .invalidArgument("the filter has no value to compare with", at: location) }
        return .field(path, op, try ValueBytes(wire: operand, in: location))
    }

    /// Unary filters are comparisons with null and NaN (QR-11).
    private static func unary(_ bytes: ByteSlice) throws(FirestoreError) -> QueryFilter {
        var reference = EmbeddedMessage()
        var op: Int32 = 0
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&op)
            case 2: reference.merge(field)
            default: break
            }
        }
        let path = try reference.fieldReference(of: "a unary filter")
        switch op {
        case 2: return .field(path, .equal, ValueBytes(.double(.nan)))
        case 3: return .field(path, .equal, ValueBytes(.null))
        case 4: return .field(path, .notEqual, ValueBytes(.double(.nan)))
        case 5: return .field(path, .notEqual, ValueBytes(.null))
        default:
            throw .invalidArgument(
                "the unary filter has no operator, or an unknown one", at: "filter on \(path.canonical)")
        }
    }
}

extension QueryFilter.FieldOperator {
    /// In the order of the numbers of `FieldFilter.Operator`, which begin with 1.
    private static let wireOrder: [QueryFilter.FieldOperator] = [
        .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .equal, .notEqual, .arrayContains, .in, .arrayContainsAny,
        .notIn,
    ]

    init?(wire number: Int32) {
        guard (1...Int32(Self.wireOrder.count)).contains(number) else { return nil }
        self = Self.wireOrder[Int(number) - 1]
    }

    var wireNumber: Int { (Self.wireOrder.firstIndex(of: self) ?? -1) + 1 }
}
