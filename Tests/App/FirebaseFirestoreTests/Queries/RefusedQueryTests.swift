// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// A query that cannot be asked fails with `invalidArgument` when it is run or listened to (QR-18,
/// QR-20 … QR-38).
@Suite struct RefusedQueryTests {
    static let db = Scratch.firestore()
    static let cities = db.collection("cities")
    static let id = FieldPath.documentID()

    static let refused: [(String, Query)] = [
        ("an empty field name", cities.whereField("", isEqualTo: 1)),
        ("a name that ends with a dot", cities.order(by: "a.")),
        ("a field path without names", cities.order(by: FieldPath([]))),
        ("a sentinel", cities.whereField("a", isEqualTo: FieldValue.serverTimestamp())),
        ("a sentinel in a list", cities.whereField("a", in: [FieldValue.delete()])),
        ("an unknown type", cities.whereField("a", isEqualTo: URL(fileURLWithPath: "/"))),
        ("an array in an array", cities.whereField("a", isEqualTo: [[1]])),
        ("a reference of another database", cities.whereField("a", isEqualTo: Scratch.firestore().document("x/y"))),
        ("an empty list", cities.whereField("a", in: [])),
        ("an empty notIn", cities.whereField("a", notIn: [])),
        ("an empty arrayContainsAny", cities.whereField("a", arrayContainsAny: [])),
        ("a limit of zero", cities.limit(to: 0)),
        ("a negative limit", cities.order(by: "a").limit(toLast: -1)),
        ("limit(toLast:) without an order", cities.limit(toLast: 1)),
        ("two notEquals", cities.whereField("a", isNotEqualTo: 1).whereField("b", isNotEqualTo: 1)),
        ("notIn with in", cities.whereField("a", notIn: [1]).whereField("b", in: [1])),
        ("an array operator on the id", cities.whereField(id, arrayContains: "a")),
        ("an empty id", cities.whereField(id, isEqualTo: "")),
        ("an id with a slash", cities.whereField(id, isEqualTo: "a/b")),
        ("a number as an id", cities.whereField(id, isEqualTo: 1)),
        ("an odd path in a group", db.collectionGroup("g").whereField(id, isEqualTo: "a")),
        ("an order after a cursor", cities.order(by: "a").start(at: [1]).order(by: "b")),
        ("a cursor without values", cities.order(by: "a").start(at: [])),
        ("more values than orders", cities.order(by: "a").end(at: [1, 2])),
        ("a cursor value with a slash", cities.order(by: id).start(at: ["a/b"])),
        ("a filter that is bad inside a tree", cities.whereFilter(.orFilter([.whereField("a..b", isEqualTo: 1)]))),
    ]

    @Test(arguments: refused.indices)
    func `an invalid query fails when it is run, and when it is listened to`(index: Int) async {
        let (name, query) = Self.refused[index]
        let error = await failure { try await query.getDocuments() }
        #expect(isFailure(error, .invalidArgument), "\(name): \(String(describing: error))")
        let told: (any Error)? = await completion { done in query.addSnapshotListener { _, error in done(error) } }
        #expect(isFailure(told, .invalidArgument), "\(name): \(String(describing: told))")
    }

    /// What the message names, as the original's does.
    static let named: [(Query, String)] = [
        (cities.limit(to: 0), "0"), (cities.order(by: "a").limit(toLast: -17), "-17"),
        (cities.whereField(id, isEqualTo: "SF/x"), "\"SF/x\" contains a slash"),
        (cities.whereField(id, in: ["LA", "SF/x"]), "\"SF/x\" contains a slash"),
        (cities.order(by: id).start(at: ["SF/y"]), "\"SF/y\" contains a slash"),
        (db.collectionGroup("g").whereField(id, isEqualTo: "odd"), "\"odd\" is not the path of a document"),
        (db.collectionGroup("g").whereField(id, isEqualTo: "a//b"), "\"a//b\" is not the path of a document"),
        (cities.whereField("n", isEqualTo: UInt64.max), "18446744073709551615"),
    ]

    @Test(arguments: named.indices)
    func `the message names the mistake`(index: Int) async {
        let (query, words) = Self.named[index]
        let error = await failure { try await query.getDocuments() }
        #expect(isFailure(error, .invalidArgument, naming: words), "\(words): \(String(describing: error))")
    }

    @Test func `a cursor at a document needs the document and its fields`() async throws {
        let missing = try await Self.cities.document("missing").getDocument()
        try await Self.cities.document("without").setData([:])
        let without = try await Self.cities.document("without").getDocument()
        for query in [Self.cities.start(atDocument: missing), Self.cities.order(by: "a").end(beforeDocument: without)] {
            #expect(isFailure(await failure { try await query.getDocuments() }, .invalidArgument))
        }
    }
}
