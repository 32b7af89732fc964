// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSemantics

/// Long unions and removals give what a look at each pair of elements gives.
@Suite struct ArrayEditTests {
    /// Values that are equal in other spellings, and values that only look so.
    private static let values: [Value] = [
        .integer(1), .double(1), .integer(0), .double(0), .double(-0.0), .double(.nan), .null, .boolean(true), .string("1"), .string(""),
        .bytes([49]), .integer(9_007_199_254_740_993), .double(9_007_199_254_740_992), .double(.infinity),
        .map(FieldMap([("a", .integer(1))])), .map(FieldMap([("a", .double(1))])), .map(FieldMap()),
        .timestamp(TimestampValue(seconds: 1, nanoseconds: 0)), .geoPoint(GeoPointValue(latitude: 0, longitude: -0.0)),
        .geoPoint(GeoPointValue(latitude: -0.0, longitude: 0)), reference("c/1"), reference("c/__id1__"),
    ]

    private func random(_ count: Int, _ generator: inout SeededGenerator) -> [Value] {
        (0..<count).map { _ in Self.values.randomElement(using: &generator) ?? .null }
    }

    private static func isEqual(_ left: Value, _ right: Value) -> Bool {
        let (left, right) = (ValueBytes(left), ValueBytes(right))
        defer { withExtendedLifetime((left, right)) {} }
        return ValueOrdering.equals(left.view, right.view)
    }

    private static func naive(_ kinds: [FieldTransform.Kind], on stored: [Value]) -> [Value] {
        var elements = stored
        for kind in kinds {
            switch kind {
            case .appendMissingElements(let additions):
                for addition in additions where !elements.contains(where: { isEqual($0, addition) }) { elements.append(addition) }
            case .removeAllFromArray(let removals):
                elements.removeAll { element in removals.contains { isEqual($0, element) } }
            default: break
            }
        }
        return elements
    }

    @Test func `unions and removals of any length, alone and one after the other`() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<300 {
            let stored = random(Int.random(in: 0...30, using: &generator), &generator)
            let kinds = (0..<Int.random(in: 1...4, using: &generator)).map { _ -> FieldTransform.Kind in
                let operands = random(Int.random(in: 0...20, using: &generator), &generator)
                return Bool.random(using: &generator) ? .appendMissingElements(operands) : .removeAllFromArray(operands)
            }
            let document = Document(
                key: DocumentKey(trusted: "c/1"), createTime: .none, updateTime: .none,
                fields: FieldBytes(FieldMap([("f", .array(stored))])))
            let write = Write(
                key: document.key, operation: .patch(.empty, mask: []),
                transforms: kinds.map { FieldTransform(path: FieldPathSegments("f"), kind: $0) })
            let applied = try WriteApplication.apply(write, to: document, at: WriteApplicationTests.times, in: database)
            let expected = FieldBytes(FieldMap([("f", .array(Self.naive(kinds, on: stored)))]))
            #expect(applied.document?.fields == expected)
        }
    }

    @Test func `an array transform after a number, and a number after an array transform`() throws {
        let (field, results) = try TransformTests.apply(
            [
                .appendMissingElements([.integer(1)]), .increment(.integer(5)), .appendMissingElements([.integer(2)]),
                .appendMissingElements([.integer(2), .integer(3)]),
            ], to: .string("x"))
        TransformTests.expectSame(field, .array([.integer(2), .integer(3)]))
        #expect(results.count == 4)
    }
}
