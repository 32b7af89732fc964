// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import TestSupport
import Testing

@testable import FirestoreEngine
@testable import FirestoreIndexing

/// An index entry says of every number in it which number it is: key and kinds together are the value.
@Suite struct NumberKindTests {
    private static let numbers: [Value] = [
        .integer(0), .integer(1), .integer(-1), .integer(.max), .integer(.min), .integer(9_007_199_254_740_993),
        .integer(-9_007_199_254_740_993), .integer(9_007_199_254_740_992), .double(0), .double(-0.0), .double(1), .double(-1),
        .double(1.5), .double(9_007_199_254_740_992), .double(-9_223_372_036_854_775_808), .double(.infinity), .double(-.infinity),
        .double(.nan), .double(.leastNonzeroMagnitude), .double(-.leastNonzeroMagnitude), .double(.greatestFiniteMagnitude),
    ]

    /// Reads a number from a column: tag, eight ordered bytes of the largest double that is not greater, two bytes of the rest.
    private func number(_ column: some Collection<UInt8>, _ kind: Int64) -> Value {
        let bytes = Array(column)
        let ordered = bytes[1..<9].reduce(0) { $0 << 8 | UInt64($1) }
        let rest = bytes[9..<11].reduce(0) { $0 << 8 | Int64($1) }
        let double = ordered == 0 ? Double.nan : Double(bitPattern: ordered >> 63 == 1 ? ordered & ~(1 << 63) : ~ordered)
        switch kind {
        case 0: return .integer(Int64(double) + rest)
        case 1: return .double(double)
        default: return .double(-0.0)
        }
    }

    private func entries(_ fields: [(String, Value)], _ keys: IndexEntryKeys) -> IndexEntries {
        let fields = FieldBytes(FieldMap(fields))
        return withExtendedLifetime(fields) { keys.entries(of: DocumentKey(trusted: "c/x"), fields: fields.view) }
    }

    private func isSame(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern || (left.isNaN && right.isNaN)
        default: false
        }
    }

    @Test(arguments: [false, true])
    func `the number of every column is known from its entry`(isDescending: Bool) {
        let field = { (name: String) in IndexDefinition.Field(FieldPathSegments(name), isDescending ? .descending : .ascending) }
        let keys = IndexEntryKeys(IndexDefinition(collectionID: "c", scope: .collection, fields: [field("a"), field("b")]))
        for first in Self.numbers {
            for second in Self.numbers {
                let entries = self.entries([("a", first), ("b", second)], keys)
                let key = entries.keys[0].map { isDescending ? ~$0 : $0 }
                #expect(isSame(number(key[..<11], entries.kinds & 3), first), "\(first)")
                #expect(isSame(number(key[11..<22], entries.kinds >> 2 & 3), second), "\(second)")
            }
        }
    }

    @Test func `query-equal numbers have equal keys, whatever their kinds`() {
        let keys = IndexEntryKeys(IndexDefinition("c", "n"))
        for (left, right) in [(Value.integer(1), Value.double(1)), (.integer(0), .double(-0.0)), (.double(0), .double(-0.0))] {
            let entries = [left, right].map { self.entries([("n", $0)], keys) }
            #expect(entries[0].keys.count == 1)
            #expect(entries[0].keys == entries[1].keys && entries[0].kinds != entries[1].kinds)
        }
    }

    @Test func `columns that hold other values, and those behind the thirty-first, have no kind`() {
        let names = (0..<40).map { "f\($0)" }
        let keys = IndexEntryKeys(
            IndexDefinition(collectionID: "c", scope: .collection, fields: names.map { IndexDefinition.Field(FieldPathSegments($0)) }))
        func kinds(_ value: Value) -> Int64 { entries(names.map { ($0, value) }, keys).kinds }
        #expect(kinds(.string("x")) == 0 && kinds(.array([.double(1)])) == 0 && kinds(.integer(3)) == 0)
        #expect(kinds(.double(3)) == 0x1555_5555_5555_5555)
        #expect(kinds(.double(-0.0)) == 0x2AAA_AAAA_AAAA_AAAA)
    }

    @Test func `an entry whose number only changes its kind is written again`() async throws {
        let engine = try Engine.memory(indexPolicy: .manual)
        try await engine.configureIndexes([IndexDefinition("c", "n"), IndexDefinition("c", "tags array", "n desc")])
        try await engine.indexesSettled()
        for value in [Value.integer(1), .double(1), .integer(1), .double(0), .double(-0.0), .integer(0), .string("x"), .double(-0.0)] {
            try await engine.commit(.set("c/x", ("n", value), ("tags", .array([.integer(1), .double(1), .string("t")]))))
            try engine.expectEntriesMatchDocuments()
            #expect(try engine.check() == [])
        }
        try await engine.checkAndShutDown()
    }
}
