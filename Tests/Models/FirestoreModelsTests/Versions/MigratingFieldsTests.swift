// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels
import FirestoreTesting
import Foundation
import Testing

/// What a step can do with the fields of a document: MP-68.
@Suite struct MigratingFieldsTests {
    /// What a closure makes of stored fields.
    private func migrated(
        _ stored: [String: Any], _ change: @escaping @Sendable (inout MigratingFields) throws -> Void
    ) async throws -> (fields: [String: Any], failures: [String]) {
        let test = try TestFirestore()
        let ref = test.firestore.document("c/a")
        try await ref.setData(stored)
        let report = try await test.firestore.collection("c").migrate(change)
        return (try #require(try await ref.getDocument().data()), report.failures.map { "\($0.error)" })
    }

    private func fields(_ stored: [String: Any], _ change: @escaping @Sendable (inout MigratingFields) throws -> Void) async throws -> [String: Any] {
        let (fields, failures) = try await migrated(stored, change)
        #expect(failures.isEmpty)
        return fields
    }

    @Test func `fields are renamed and moved`() async throws {
        #expect(try await fields(["a": 1]) { $0.rename("a", to: "b") } as? [String: Int] == ["b": 1])
        #expect(try await fields(["c": 1]) { $0.rename("a", to: "b") } as? [String: Int] == ["c": 1])
        #expect(try await fields(["a": 1, "b": 2]) { $0.rename("a", to: "b") } as? [String: Int] == ["b": 2])
        #expect(try await fields(["a": 1]) { $0.rename("a", to: "a") } as? [String: Int] == ["a": 1])
        let nested = try await fields(["m": ["a": 1, "x": 1]]) { $0.rename("m.a", to: "b.c") }
        #expect(nested as? [String: [String: Int]] == ["m": ["b.c": 1, "x": 1]])
        let moved = try await fields(["a": 1, "m": ["x": 1]]) { $0.move("a", to: "m.a") }
        #expect(moved as? [String: [String: Int]] == ["m": ["a": 1, "x": 1]])
        #expect(try await fields(["m": ["a": 1]]) { $0.move("m.a", to: "a") }["a"] as? Int == 1)
    }

    @Test func `a step does not write into a value that is not a map`() async throws {
        for change in [
            { $0.move("a", to: "b.a") }, { $0["b.x"] = 1 }, { $0.setDefault("b.x.y", to: 1) },
        ] as [@Sendable (inout MigratingFields) -> Void] {
            let (fields, failures) = try await migrated(["a": 1, "b": 2], change)
            #expect(fields as? [String: Int] == ["a": 1, "b": 2])
            #expect(failures.count == 1 && failures[0].contains("field b") && failures[0].contains("not a map"))
        }
    }

    @Test func `defaults fill in missing fields, null is not missing`() async throws {
        let fields = try await fields(["a": 1, "b": NSNull()]) {
            $0.setDefault("a", to: 9)
            $0.setDefault("b", to: 9)
            $0.setDefault("c", to: 9)
            $0.setDefault("m.x", to: "y")
        }
        #expect(fields["a"] as? Int == 1 && fields["b"] is NSNull && fields["c"] as? Int == 9)
        #expect(fields["m"] as? [String: String] == ["x": "y"])
    }

    @Test func `values are read and replaced as they are stored`() async throws {
        let fields = try await fields(["n": 3, "d": 3.0, "t": Timestamp(seconds: 1, nanoseconds: 2_000), "gone": 1, "l": [1, 2]]) { fields in
            guard case .integer(3)? = fields["n"], case .double(3)? = fields["d"], fields["none"] == nil else { return }
            #expect(fields.names == ["d", "gone", "l", "n", "t"])
            fields["n"] = 4
            fields["gone"] = nil
            fields.remove("t")
            try fields.convert("l") { value in
                guard case .array(let elements) = value else { return nil }
                return .array(elements.reversed())
            }
            try fields.convert("none") { _ in throw CancellationError() }
            fields[FieldPath(["a.b"])] = "dotted"
        }
        #expect(fields["n"] as? Int == 4 && fields["d"] as? Double == 3 && fields["t"] == nil && fields["gone"] == nil)
        #expect(fields["l"] as? [Int] == [2, 1] && fields["a.b"] as? String == "dotted")
    }

    @Test func `references stay references`() async throws {
        let test = try TestFirestore()
        let (ref, author) = (test.firestore.document("c/a"), test.firestore.document("authors/x"))
        try await ref.setData(["by": author, "n": 1])
        let report = try await test.firestore.collection("c").migrate { fields in
            if case .reference(let reference)? = fields["by"] { fields["path"] = .string(reference.path) }
            fields["also"] = fields["by"]
        }
        #expect(report.failures.isEmpty)
        let snapshot = try await ref.getDocument()
        #expect(snapshot["path"] as? String == "authors/x" && snapshot["also"] as? DocumentReference == author)
        #expect(snapshot["by"] as? DocumentReference == author)
    }

    @Test func `conversions lose nothing, or fail`() async throws {
        typealias Row = (stored: any Sendable, type: MigratingFields.ConvertedType, expected: FirestoreValue?)
        let rows: [Row] = [
            (3.0, .integer, 3), (3.5, .integer, nil), ("42", .integer, 42), ("4 2", .integer, nil), (1e300, .integer, nil), (true, .integer, nil),
            (3, .double, .double(3)), (Int64.max, .double, nil), ("2.5", .double, .double(2.5)), ("nan", .double, nil),
            (3, .string, "3"), (2.5, .string, "2.5"), (true, .string, "true"), (Timestamp(seconds: 0, nanoseconds: 0), .string, "1970-01-01T00:00:00Z"),
            ("true", .boolean, true), (0, .boolean, false), (2, .boolean, nil),
            ("1970-01-01T00:00:01Z", .timestamp, .timestamp(Timestamp(seconds: 1, nanoseconds: 0))), ("yesterday", .timestamp, nil), (1, .timestamp, nil),
            (2, .timestampFromSeconds, .timestamp(Timestamp(seconds: 2, nanoseconds: 0))),
            (1_500, .timestampFromMilliseconds, .timestamp(Timestamp(seconds: 1, nanoseconds: 500_000_000))),
            (1.5, .timestampFromSeconds, .timestamp(Timestamp(seconds: 1, nanoseconds: 500_000_000))), (Int64.max, .timestampFromSeconds, nil),
            (NSNull(), .integer, .null), ([1], .string, nil), ("007", .integer, nil), (-0.0, .integer, nil), ("0x1p3", .double, nil),
            ("1970-01-01T00:00:00.0000001Z", .timestamp, nil), (1e-9, .timestampFromSeconds, nil),
        ]
        for (stored, type, expected) in rows {
            let (fields, failures) = try await migrated(["v": stored]) { fields in
                fields.convert("v", to: type)
                fields.convert("none", to: type)
                if let expected { #expect(fields["v"] == expected, "\(type)") }
            }
            #expect(failures.isEmpty == (expected != nil), "\(stored) \(type)")
            if expected == nil {
                #expect(failures.first?.contains("field v") == true)
                #expect(fields.count == 1)
            }
        }
    }

    @Test func `a text is split into fields beside it`() async throws {
        let fields = try await fields(["m": ["address": "Market Street 1, San Francisco"]]) {
            $0.split("m.address", at: ", ", into: ["street", "city"])
            $0.split("none", at: ",", into: ["a"])
        }
        #expect(fields as? [String: [String: String]] == ["m": ["street": "Market Street 1", "city": "San Francisco"]])
        let (kept, failures) = try await migrated(["a": "one"]) { $0.split("a", at: ",", into: ["b", "c"]) }
        #expect(kept as? [String: String] == ["a": "one"] && failures.count == 1)
    }

    @Test func `the first mistake is the one that is reported`() async throws {
        let (fields, failures) = try await migrated(["n": "x", "m": "y"]) {
            $0.convert("n", to: .integer)
            $0.convert("m", to: .integer)
            $0["ok"] = 1
        }
        #expect(fields.count == 2 && failures.count == 1 && failures[0].contains("field n"))
        let (_, invalid) = try await migrated(["n": 1]) { $0.rename("a..b", to: "c") }
        #expect(invalid.count == 1)
    }
}
