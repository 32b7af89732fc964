// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreServer

struct PartitionQueryTests {
    private let server = ServerFixture()
    private let database = ServerFixture.database
    private var group: StructuredQuery {
        StructuredQuery(scope: .collectionGroup(id: "items", under: nil), orders: [SortOrder(path: .documentID)])
    }

    private func partition(_ request: PartitionQueryRequest) async throws -> PartitionQueryResponse {
        try await server.unary(.partitionQuery, request)
    }

    // QR-70
    @Test func `the parts between the cuts are the whole`() async throws {
        try await server.commit((0..<300).map { .set("boxes/\($0 % 7)/items/i\($0)") })
        let cuts = try await partition(PartitionQueryRequest(database: database, query: group, partitionCount: 5)).cuts
        #expect((1...5).contains(cuts.count))
        var found: [String] = []
        for part in 0...cuts.count {
            var query = group
            func bound(_ key: DocumentKey) -> QueryBound {
                QueryBound(values: [ValueBytes(.reference(database.name(of: key)))], before: true)
            }
            if part > 0 { query.start = bound(cuts[part - 1]) }
            if part < cuts.count { query.end = bound(cuts[part]) }
            let results: [RunQueryResponse] = try await server.stream(
                .runQuery, RunQueryRequest(database: database, query: query))
            found += results.compactMap { $0.document?.key.path }
        }
        #expect(found.count == 300)
        #expect(Set(found).count == 300)
    }

    @Test func `cuts come in pages that fit together`() async throws {
        try await server.commit((0..<300).map { .set("boxes/\($0 % 7)/items/i\($0)") })
        var request = PartitionQueryRequest(database: database, query: group, partitionCount: 6)
        let all = try await partition(request).cuts
        request.pageSize = 2
        var paged: [DocumentKey] = []
        repeat {
            let page = try await partition(request)
            #expect(page.cuts.count <= 2)
            paged += page.cuts
            request.pageToken = page.nextPageToken
            // Must not matter: all pages are parts of one answer.
            try await server.commit(.set("boxes/new/items/\(paged.count)"))
        } while !request.pageToken.isEmpty
        #expect(paged == all)
    }

    @Test func `queries that cannot be cut are rejected`() async throws {
        var limited = group
        limited.limit = 3
        var filtered = group
        filtered.filter = .field(FieldPathSegments("a"), .equal, ValueBytes(.integer(1)))
        var ordered = group
        ordered.orders = [SortOrder(path: FieldPathSegments("a"))]
        for query in [limited, filtered, ordered, .all("items")] {
            let request = PartitionQueryRequest(database: database, query: query, partitionCount: 2)
            #expect(await code { _ = try await partition(request) } == .invalidArgument)
        }
        for count in [0, -1] {
            let request = PartitionQueryRequest(database: database, query: group, partitionCount: count)
            #expect(await code { _ = try await partition(request) } == .invalidArgument)
        }
    }
}
