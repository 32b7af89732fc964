// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreSemantics

/// A key, and the kinds beside it, determine a number.
@Suite struct IndexedNumberTests {
    private static let integers: [Int64] = [
        0, 1, -1, 7, 9_007_199_254_740_993, -9_007_199_254_740_993, .max, .max - 1, .min, .min + 1, 1 << 62, -(1 << 61) - 3,
    ]
    private static let doubles: [Double] = [
        0, -0.0, 1, -1, 0.1, 2.5, .greatestFiniteMagnitude, -.leastNonzeroMagnitude, .infinity, -.infinity, .nan, 9_007_199_254_740_992,
    ]

    private func number(_ value: Value, _ mode: IndexDefinition.Field.Mode) throws -> IndexedNumber? {
        let fields = [IndexDefinition.Field(FieldPathSegments("s")), IndexDefinition.Field(FieldPathSegments("n"), mode)]
        let document = FieldBytes(FieldMap([("s", .string("x")), ("n", value)]))
        let entries = IndexEntryKeys(IndexDefinition(collectionID: "c", fields: fields))
            .entries(of: DocumentKey(trusted: "c/d"), fields: document.view)
        return try #require(entries.keys.first).withUnsafeBytes { key in
            var components = IndexComponents(key)
            _ = components.next(isDescending: false)
            return components.next(isDescending: mode == .descending)
                .flatMap { IndexEntries.number($0, isDescending: mode == .descending, at: 1, kinds: entries.kinds) }
        }
    }

    @Test(arguments: [IndexDefinition.Field.Mode.ascending, .descending]) func numbersAreFoundAgain(mode: IndexDefinition.Field.Mode) throws {
        for integer in Self.integers { #expect(try number(.integer(integer), mode) == .integer(integer)) }
        for double in Self.doubles {
            guard case .double(let found) = try number(.double(double), mode) else {
                Issue.record("\(double) is no double")
                continue
            }
            #expect(found.isNaN ? double.isNaN : found == double && found.sign == double.sign, "\(double)")
        }
    }

    @Test func otherValuesAreNoNumbers() throws {
        for value: Value in [.null, .boolean(true), .string("1"), .array([.integer(1)]), .timestamp(TimestampValue(seconds: 1, nanoseconds: 0))] {
            #expect(try number(value, .ascending) == nil)
        }
    }
}
