// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSync

/// What a cache knows of the result of a query (SY-D26): whether its target was synced, or a pinned one that contains it.
@Suite struct CompletenessTests {
    private static let all = StructuredQuery(scope: .collection(CollectionPath(trusted: "trails")))

    private static func query(_ change: (inout StructuredQuery) -> Void) -> StructuredQuery {
        var query = all
        change(&query)
        return query
    }

    private static func field(_ name: String, _ op: QueryFilter.FieldOperator = .equal, _ value: Int64 = 1) -> QueryFilter {
        .field(FieldPathSegments([name]), op, ValueBytes(.integer(value)))
    }

    private static func order(_ name: String) -> SortOrder { SortOrder(path: FieldPathSegments([name])) }

    // MARK: Containment

    @Test func `a query contains what has more conditions, a limit, or bounds`() {
        let (a, b) = (Self.field("a"), Self.field("b"))
        #expect(Self.all.contains(Self.all))
        #expect(Self.all.contains(Self.query { ($0.filter, $0.limit, $0.orders) = (a, 3, [Self.order("z")]) }))
        #expect(Self.query { $0.filter = a }.contains(Self.query { $0.filter = .and([b, a]) }))
        #expect(!Self.query { $0.filter = a }.contains(Self.query { $0.filter = b }))
        #expect(!Self.query { $0.filter = a }.contains(Self.all))
        #expect(!Self.query { $0.filter = .and([a, b]) }.contains(Self.query { $0.filter = .or([a, b]) }))
        #expect(!Self.query { $0.limit = 3 }.contains(Self.query { $0.limit = 2 }))
        #expect(!Self.query { $0.offset = 3 }.contains(Self.all))
    }

    @Test func `an order leaves out documents without its field`() {
        let ordered = Self.query { $0.orders = [Self.order("a")] }
        #expect(!ordered.contains(Self.all))
        #expect(ordered.contains(Self.query { $0.orders = [Self.order("a"), Self.order("b")] }))
        #expect(ordered.contains(Self.query { $0.filter = Self.field("a", .greaterThan) }))
        #expect(Self.query { $0.filter = Self.field("a", .greaterThan) }.contains(Self.query { $0.filter = Self.field("a", .greaterThan) }))
    }

    @Test func `a group contains the collections of its name`() {
        let group = StructuredQuery(scope: .collectionGroup(id: "trails", under: nil))
        #expect(group.contains(Self.all))
        #expect(group.contains(StructuredQuery(scope: .collectionGroup(id: "trails", under: DocumentKey(trusted: "a/b")))))
        #expect(!group.contains(StructuredQuery(scope: .collectionGroup(id: "huts", under: nil))))
        #expect(!group.contains(StructuredQuery(scope: .collection(CollectionPath(trusted: "huts")))))
        #expect(!Self.all.contains(group))
        #expect(!StructuredQuery(scope: .collectionGroup(id: "trails", under: DocumentKey(trusted: "a/b"))).contains(Self.all))
    }

    // MARK: In a cache

    @Test func `a query is complete as of the last time that it was synced`() throws {
        let cache = try CacheFixture()
        let query = ClientQuery(Self.all)
        #expect(try cache.store.completeVersion(of: query) == nil)
        let target = try cache.store.allocate(ClientTarget.query(query).syncTarget).targetID
        #expect(try cache.store.completeVersion(of: query) == nil)
        try cache.hear(.found("trails/a", 5), at: 7, target: target, token: "token")
        #expect(try cache.store.completeVersion(of: query)?.microseconds == 7)
        // Only the token is new, which is not stored immediately.
        try cache.hear([], at: 9, target: target, token: "token-9")
        #expect(try cache.store.completeVersion(of: query)?.microseconds == 9)
        try cache.store.release(target)
        #expect(try cache.store.completeVersion(of: query)?.microseconds == 9)
        #expect(try cache.store.completeVersion(of: ClientQuery(Self.query { $0.limit = 1 })) == nil)
        #expect(try cache.store.completeVersion(of: ClientQuery(Self.query { $0.projection = [] }))?.microseconds == 9)
        let explanation = try cache.store.explain(query, analyze: true)
        #expect(explanation.origin == .cache(completeAsOf: DocumentVersion(microseconds: 9)) && explanation.statistics?.results == 1)
    }

    @Test func `so is one that a pinned query contains`() throws {
        let fixture = try EngineFixture()
        let some = ClientQuery(Self.query { ($0.filter, $0.limit) = (Self.field("a"), 1) })
        try fixture.engine.pin(.query(ClientQuery(Self.all)), named: "trails", refreshEvery: .seconds(60))
        fixture.drain()
        #expect(try fixture.store.completeVersion(of: some) == nil)
        fixture.server { $0.complete(2, .found("trails/a", 5), at: 8) }
        #expect(try fixture.store.completeVersion(of: some)?.microseconds == 8)
        let near = ClientQuery(Self.query { $0.projection = [FieldPathSegments(["a"])] })
        #expect(try fixture.store.completeVersion(of: near)?.microseconds == 8)
        try fixture.engine.unpin("trails")
        #expect(try fixture.store.completeVersion(of: some) == nil)
    }
}
