// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

struct PipelineReadsTests {
    private static let database = DatabaseID(projectID: "p")

    private func reads(_ text: String) throws -> PipelineReads { try PipelineReads(try PipelineText.parse(text), in: Self.database) }

    private func refusal(_ text: String) throws -> FirestoreError? {
        let pipeline = try PipelineText.parse(text)
        return #expect(throws: FirestoreError.self, "\(text)") { try PipelineReads(pipeline, in: Self.database) }
    }

    private static func scope(_ path: String) -> QueryScope { .collection(CollectionPath(trusted: path)) }

    @Test(arguments: [
        ("collection(/a)", scope("a")), ("collection(reference(\"a/b/c\"))", scope("a/b/c")),
        ("collection(reference(\"projects/p/databases/(default)/documents/a\"))", scope("a")),
        ("collection_group(a)", .collectionGroup(id: "a", under: nil)), ("collection_group(/x/y, \"a\")", .collectionGroup(id: "a", under: DocumentKey(trusted: "x/y"))),
        ("database()", .kindless(under: nil, allDescendants: true)),
    ] as [(String, QueryScope)])
    func `a source is a scope`(text: String, expected: QueryScope) throws {
        // PL-21, PL-50 … PL-52
        let reads = try reads(text)
        #expect(reads.lists == [StructuredQuery(scope: expected)] && reads.keys.isEmpty && !reads.writes)
    }

    @Test func `documents are read by name, and literals read nothing`() throws {
        #expect(try reads("documents(/a/b, /a/c)").keys.map(\.path) == ["a/b", "a/c"])
        #expect(try reads("literals({a: 1})").isEmpty)
        #expect(try refusal("documents(/a/b, /a/b)")?.code == .invalidArgument)
    }

    @Test func `every source counts, wherever it is`() throws {
        // PL-240
        let text = """
            collection(/a)
            let(scalar(collection(/b).select(x)) as x)
            where(conditional(false, array(collection(/c)), [documents(/d/e), {k: collection_group(f)}]))
            union(collection(/g).union(database()))
            add_fields(array(subcollection("h/i/j")) as s)
            raw_stage("sort", {expression: array(collection(/k))}, option: collection(/l))
            """
        let found = try reads(text)
        let scopes: [QueryScope] = [
            Self.scope("a"), Self.scope("b"), Self.scope("c"), .collectionGroup(id: "f", under: nil), Self.scope("g"),
            .kindless(under: nil, allDescendants: true), .collectionGroup(id: "j", under: nil), Self.scope("k"), Self.scope("l"),
        ]
        #expect(Set(found.lists.map(\.scope)) == Set(scopes) && found.lists.count == scopes.count)
        #expect(found.keys.map(\.path) == ["d/e"])
    }

    @Test(arguments: [
        ("collection(/a) where(equal(x, 1))", 1), ("collection(/a) sort(x asc) where(equal(x, 1)) sort(y asc) where(equal(y, 2)) limit(1) where(equal(z, 3))", 2),
        ("collection(/a) limit(1) where(equal(x, 1))", 0), ("collection(/a) offset(1) where(equal(x, 1))", 0), ("collection(/a) select(x) where(equal(x, 1))", 0),
        ("collection(/a) add_fields(1 as x) where(equal(x, 1))", 0), ("collection(/a) sample(1 documents) where(equal(x, 1))", 0),
        ("collection(/a) let(x as y) where(equal(x, 1))", 0),
    ] as [(String, Int)])
    func `conditions count up to the first stage that is neither a condition nor a sort`(text: String, count: Int) throws {
        // PQ-20
        let filter = try reads(text).lists[0].filter
        switch filter {
        case nil: #expect(count == 0)
        case .field?: #expect(count == 1)
        case .and(let filters)?: #expect(count == filters.count)
        case .or?: Issue.record("no condition is an alternative")
        }
    }

    @Test func `stages that write are known everywhere`() throws {
        #expect(try reads("collection(/a) delete()").writes)
        #expect(try reads("collection(/a) union(collection(/b).update())").writes)
    }

    @Test(arguments: [
        ("collection(/a) raw_stage(\"nonsense\")", "stage 2 (nonsense)"), ("collection(/a) collection(/b)", "stage 2 (collection)"), ("where(true)", "stage 1 (where)"),
        ("raw_stage(\"collection\")", "stage 1 (collection)"), ("raw_stage(\"collection\", \"a\")", "stage 1 (collection)"), ("collection(/a/b)", "stage 1 (collection)"),
        ("collection(reference(\"projects/q/databases/(default)/documents/a\"))", "stage 1 (collection)"), ("subcollection(a)", "stage 1 (subcollection)"),
        ("collection_group(\"a/b\")", "stage 1 (collection_group)"), ("raw_stage(\"documents\")", "stage 1 (documents)"),
        ("collection(/a) union(pipeline())", "stage 2 (union)"), ("collection(/a) where(array(collection(/b).raw_stage(\"x\")))", "stage 2 (where), stage 2 (x)"),
    ])
    func `a pipeline whose sources are unknown is an invalid argument`(text: String, place: String) throws {
        let error = try refusal(text)
        #expect(error?.code == .invalidArgument && error?.location?.hasPrefix(place) == true, "\(error as Any)")
    }

    @Test func `reads are divided by the documents that they name`() throws {
        let names = (0..<5).map { "/a/d\($0)" }.joined(separator: ", ")
        let parts = try reads("documents(\(names)) union(collection(/b))").parts(of: 2)
        #expect(parts.map(\.keys.count) == [2, 2, 1] && parts.map(\.lists.count) == [1, 0, 0])
        #expect(try reads("collection(/b)").parts(of: 2).count == 1)
    }
}
