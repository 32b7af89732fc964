// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// What the write path rejects (R109): always an `invalidArgument` that names the field, never the end of
/// the process.
@Suite struct RefusedDataTests {
    /// `@unchecked Sendable`: never changed after it is made, and its data are values that no thread changes.
    struct Case: CustomTestStringConvertible, @unchecked Sendable {
        let name: String
        let data: [String: Any]
        let field: String
        var testDescription: String { name }
        init(_ name: String, _ data: [String: Any], _ field: String) {
            self.name = name
            self.data = data
            self.field = field
        }
    }

    static let db = Scratch.firestore()
    static let foreign = Scratch.firestore()

    static let cases: [Case] = [
        Case("a type Firestore does not know", ["a": ["b": URL(fileURLWithPath: "/")]], "a.b"),
        Case("a struct", ["a": Case("", [:], "")], "a"),
        Case("a set", ["a": Set([1])], "a"),
        Case("an unsigned integer above Int64.max", ["a": UInt64.max], "a"),
        Case("an array in an array", ["a": [[1]]], "a"),
        Case("an array in an array, further down", ["a": ["b": [["c": [[1]]]]]], "a.b"),
        Case("an array in the elements of arrayUnion", ["a": FieldValue.arrayUnion([[1]])], "a"),
        Case("an unknown type in arrayRemove", ["a": FieldValue.arrayRemove([URL(fileURLWithPath: "/")])], "a"),
        Case("an empty name", ["a": ["": 1]], "a"),
        Case("an empty name at the top", ["": 1], ""),
        Case("a reserved name", ["__a__": 1], "__a__"),
        Case("a reserved name further down", ["a": ["__b__": 1]], "__b__"),
        Case("a reference of another database", ["a": foreign.document("x/y")], "a"),
        Case("a foreign reference in arrayUnion", ["a": FieldValue.arrayUnion([foreign.document("x/y")])], "a"),
        Case("a reference with a bad path", ["a": db.document("bad")], "a"),
        Case("a sentinel in an array", ["a": [FieldValue.serverTimestamp()]], "a"),
        Case("a sentinel in a map in an array", ["a": [["b": FieldValue.increment(Int64(1))]]], "a"),
        Case("a sentinel in arrayUnion", ["a": FieldValue.arrayUnion([FieldValue.serverTimestamp()])], "a"),
        Case("a point off the globe", ["a": ["b": GeoPoint(latitude: 91, longitude: 0)]], "a.b"),
        Case("a point that is not a number", ["a": GeoPoint(latitude: .nan, longitude: 0)], "a"),
        Case("a timestamp before the year 1", ["a": Timestamp(seconds: -62_135_596_801, nanoseconds: 0)], "a"),
        Case("a timestamp after the year 9999", ["a": Timestamp(seconds: 253_402_300_800, nanoseconds: 0)], "a"),
        Case("a timestamp with a wrong fraction", ["a": Timestamp(seconds: 0, nanoseconds: -1)], "a"),
        Case("the distant past", ["a": Date.distantPast], "a"),
        Case("a date at infinity", ["a": Date(timeIntervalSince1970: .infinity)], "a"),
        Case("a date that is not a number", ["a": Date(timeIntervalSince1970: .nan)], "a"),
        Case("maps nested too deep", ["a": nested(30)], "a.a.a"),
        Case("maps nested far too deep", ["a": nested(500)], "a.a.a"),
    ]

    static func nested(_ levels: Int) -> [String: Any] {
        var result: [String: Any] = ["a": 1]
        for _ in 0..<levels { result = ["a": result] }
        return result
    }

    @Test(arguments: cases)
    func `setData, updateData, batches and transactions reject`(_ refused: Case) async {
        let city = Self.db.document("cities/SF")
        let failures = [
            await failure { try await city.setData(refused.data) },
            await failure { try await city.setData(refused.data, merge: true) },
            await failure { try await Self.db.batch().setData(refused.data, forDocument: city).commit() },
            await failure {
                try await Self.db.runTransaction { transaction, _ in
                    transaction.setData(refused.data, forDocument: city)
                    return nil
                }
            },
        ]
        for failure in failures {
            #expect(isFailure(failure, .invalidArgument, naming: "cities/SF", refused.field), "\(String(describing: failure))")
        }
        let field = refused.data.keys.first ?? ""
        let update = await failure { try await city.updateData([AnyHashable(field): refused.data[field] ?? 0]) }
        #expect(isFailure(update, .invalidArgument), "\(String(describing: update))")
    }

    @Test func `a number above Int64.max is named`() async throws {
        let city = Self.db.document("cities/SF")
        let error = await failure { try await city.setData(["a": UInt64.max]) }
        #expect(isFailure(error, .invalidArgument, naming: "field a", "18446744073709551615"))
        struct Large: Encodable { var a = UInt64(Int64.max) + 1 }
        let encoding = await failure { try city.setData(from: Large()) } as NSError?
        #expect((encoding?.userInfo["NSDebugDescription"] as? String)?.contains("9223372036854775808") == true)
    }

    @Test func `delete is allowed only where a field can be deleted`() async throws {
        let city = Self.db.document("cities/delete")
        try await city.setData([:])
        #expect(isFailure(await failure { try await city.setData(["a": FieldValue.delete()]) }, .invalidArgument, naming: "a"))
        #expect(
            isFailure(
                await failure { try await city.updateData(["a": ["b": FieldValue.delete()]]) }, .invalidArgument,
                naming: "a.b"))
    }

    @Test func `keys of an update are strings or field paths`() async throws {
        let city = Self.db.document("cities/keys")
        try await city.setData([:])
        for key: AnyHashable in [1, "", ".a", "a.", "a..b", "a~b", "a*b", "a/b", "a[b]", "__a__", "a.__b__", FieldPath([])] {
            #expect(isFailure(await failure { try await city.updateData([key: 1]) }, .invalidArgument), "\(key)")
        }
    }

    @Test func `a document that is too large is rejected`() async {
        let city = Self.db.document("cities/large")
        let error = await failure { try await city.setData(["a": String(repeating: "x", count: 1_048_576)]) }
        #expect(isFailure(error, .invalidArgument, naming: "cities/large"))
    }
}
