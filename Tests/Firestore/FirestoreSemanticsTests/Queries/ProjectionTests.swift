// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Testing

/// QR-43, as the emulator answers.
@Suite struct ProjectionTests {
    static let stored = document(
        "c/1", ("a.b", .integer(5)), ("e", map()),
        ("m", map(("x", .integer(1)), ("y", .integer(2)), ("z", map(("q", .integer(3)), ("r", .null))))), ("v", .integer(1)),
        ("w", .vector([1, 2])))

    static func answer(_ query: StructuredQuery) throws -> [Document] {
        try QueryCheck.check(query, database: database)
        return try QueryAnswer.documents(of: query, over: ArrayDocumentSource([stored, document("c/2")]), database: database)
    }

    static let z = ("z", map(("q", Value.integer(3))))

    static let cases: [(fields: [FieldPathSegments], rest: [(String, Value)])] = [
        ([path("v")], [("v", .integer(1))]),
        ([path("__name__")], []),
        ([path("v"), path("__name__")], [("v", .integer(1))]),
        ([path("v"), path("v")], [("v", .integer(1))]),
        ([path("w"), path("v")], [("v", .integer(1)), ("w", .vector([1, 2]))]),
        ([path("m.x")], [("m", map(("x", .integer(1))))]),
        ([path("m.z.q"), path("m.y")], [("m", map(("y", .integer(2)), z))]),
        ([path("m.z"), path("m.z.q")], [("m", map(("z", map(("q", .integer(3)), ("r", .null)))))]),
        ([path("m.z.q"), path("m.z")], [("m", map(("z", map(("q", .integer(3)), ("r", .null)))))]),
        ([path("m.none")], []), ([path("none")], []), ([path("v.x")], []), ([path("e.x")], []),
        ([path("e")], [("e", map())]),
        ([FieldPathSegments("a.b")], [("a.b", .integer(5))]),
        ([path("a.b")], []),
    ]

    @Test(arguments: cases.indices)
    func `only the requested fields are returned, in canonical form`(index: Int) throws {
        var query = StructuredQuery.c()
        query.projection = Self.cases[index].fields
        let answer = try Self.answer(query)
        #expect(answer.map(\.key.id) == ["1", "2"])
        #expect(answer[0].fields == FieldBytes(FieldMap(Self.cases[index].rest)), "\(Self.cases[index].fields)")
        try DocumentCheck.check(answer[0].fields, of: answer[0].key)
        #expect(answer[1].fields == .empty)
    }

    @Test func `a projection without fields leaves all of them`() throws {
        var query = StructuredQuery.c()
        query.projection = []
        #expect(try Self.answer(query)[0] == Self.stored)
    }

    @Test func `filters and orders see fields that a projection leaves out`() throws {
        var query = StructuredQuery.c(.field("m.y", .greaterThan, .integer(1)), orders: ["-m.y"], limit: 5)
        query.projection = [path("v")]
        #expect(try Self.answer(query).map(\.fields) == [FieldBytes(FieldMap([("v", .integer(1))]))])
    }

    @Test(arguments: ["__x__", "m.__x__"])
    func `a projection names no reserved fields`(field: String) {  // QR-43
        var query = StructuredQuery.c()
        query.projection = [path(field)]
        let error = expect(.invalidArgument) { () throws(FirestoreError) in try QueryCheck.check(query, database: database) }
        #expect(error?.message.contains("in a projection") == true)
    }
}
