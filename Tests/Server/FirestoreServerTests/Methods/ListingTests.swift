// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreServer

/// ListDocuments and ListCollectionIds, page by page (QR-51).
struct ListingTests {
    private let server = ServerFixture()
    private let database = ServerFixture.database

    private func list(_ request: ListDocumentsRequest) async throws -> ListDocumentsResponse {
        try await server.unary(.listDocuments, request)
    }

    private func paths(_ response: ListDocumentsResponse) -> [String] {
        response.entries.map { entry in
            switch entry {
            case .document(let document): document.key.path
            case .missing(let key): "(\(key.path))"
            }
        }
    }

    /// All pages of a request, and how long they were.
    private func pages(_ request: ListDocumentsRequest) async throws -> (paths: [String], sizes: [Int]) {
        var request = request
        var (all, sizes) = ([String](), [Int]())
        repeat {
            let page = try await list(request)
            all += paths(page)
            sizes.append(page.entries.count)
            request.pageToken = page.nextPageToken
        } while !request.pageToken.isEmpty && sizes.count < 100
        return (all, sizes)
    }

    @Test(arguments: [(0, [6]), (2, [2, 2, 2]), (4, [4, 2]), (6, [6]), (7, [6])])
    func `by name, and the last page has no token`(size: Int, sizes: [Int]) async throws {
        try await server.commit(["f", "a", "e", "b", "d", "c"].map { .set("books/\($0)") })
        let request = ListDocumentsRequest(database: database, parent: nil, collectionID: "books", pageSize: size)
        let found = try await pages(request)
        #expect(found.paths == ["a", "b", "c", "d", "e", "f"].map { "books/\($0)" })
        #expect(found.sizes == sizes)
    }

    @Test(arguments: [("n", [1, 2, 2, 3, 4]), ("n desc", [4, 3, 2, 2, 1]), ("g desc, n", [3, 4, 1, 2, 2]), ("`n` ASC", [1, 2, 2, 3, 4])])
    func `a listing follows order_by`(order: String, numbers: [Int]) async throws {
        let data: [(Int64, String)] = [(3, "y"), (1, "x"), (2, "x"), (4, "y"), (2, "x")]
        try await server.commit(
            data.enumerated().map { .set("books/\($0)", [("n", .integer($1.0)), ("g", .string($1.1))]) } + [.set("books/without")])
        for size in 1...6 {
            var request = ListDocumentsRequest(
                database: database, parent: nil, collectionID: "books", pageSize: size, orderBy: order, mask: [FieldPathSegments("n")])
            var found: [Int] = []
            repeat {
                let page = try await list(request)
                for case .document(let document) in page.entries {
                    guard case .integer(let number)? = document["n"] else { continue }
                    found.append(Int(number))
                    #expect(document["g"] == nil)
                }
                request.pageToken = page.nextPageToken
            } while !request.pageToken.isEmpty
            #expect(found == numbers)
        }
    }

    // DM-11
    @Test(arguments: [1, 2, 10])
    func `missing documents that have something below them`(size: Int) async throws {
        try await server.commit(.set("books/a"), .set("books/b/reviews/x"), .set("books/c/reviews/y"), .set("books/c"), .set("books/d"))
        var request = ListDocumentsRequest(database: database, parent: nil, collectionID: "books", pageSize: size, showMissing: true)
        #expect(try await pages(request).paths == ["books/a", "(books/b)", "books/c", "books/d"])
        request.showMissing = false
        #expect(try await pages(request).paths == ["books/a", "books/c", "books/d"])
        request.showMissing = true
        request.orderBy = "n"
        #expect(await code { _ = try await list(request) } == .invalidArgument)
    }

    @Test func `a collection below a document is listed at an earlier time`() async throws {
        try await server.commit(.set("books/a/reviews/x"))
        let then = try await server.get("books/a/reviews/x").updateTime
        try await server.commit(.set("books/a/reviews/y"))
        let request = ListDocumentsRequest(
            database: database, parent: DocumentKey(trusted: "books/a"), collectionID: "reviews",
            consistency: .readTime(then.timestamp))
        #expect(paths(try await list(request)) == ["books/a/reviews/x"])
    }

    @Test func `a page token is for the same request only`() async throws {
        try await server.commit((0..<5).map { .set("books/\($0)") })
        let request = ListDocumentsRequest(database: database, parent: nil, collectionID: "books", pageSize: 2)
        let token = try await list(request).nextPageToken
        var variants: [ListDocumentsRequest] = []
        for change: (inout ListDocumentsRequest) -> Void in [
            { $0.collectionID = "films" }, { $0.orderBy = "n" }, { $0.parent = DocumentKey(trusted: "a/b") },
            { $0.mask = [FieldPathSegments("n")] }, { $0.showMissing = true }, { $0.database.projectID = "other" },
        ] {
            var variant = request
            variant.pageToken = token
            change(&variant)
            variants.append(variant)
        }
        var damaged = request
        damaged.pageToken = "B" + token.dropFirst()
        var nonsense = request
        nonsense.pageToken = "no token"
        for variant in variants + [damaged, nonsense] {
            #expect(await code { _ = try await list(variant) } == .invalidArgument)
        }
        // A different page size does not make it another request.
        var same = request
        same.pageToken = token
        same.pageSize = 3
        #expect(paths(try await list(same)) == ["books/2", "books/3", "books/4"])
    }

    @Test(arguments: ["a desc b", ",", "a,,b", "`a", "a b", "9"])
    func `orders that cannot be read`(order: String) async throws {
        let request = ListDocumentsRequest(database: database, parent: nil, collectionID: "books", orderBy: order)
        #expect(await code { _ = try await list(request) } == .invalidArgument)
    }

    // DM-12
    @Test(arguments: [0, 1, 2, 3])
    func `ids of collections, sorted`(size: Int) async throws {
        try await server.commit(.set("b/1"), .set("a/1"), .set("c/x/deep/y"), .set("b/1/inner/z"), .set("b/1/also/z"))
        for (parent, expected) in [(DocumentKey?.none, ["a", "b", "c"]), (DocumentKey(trusted: "b/1"), ["also", "inner"])] {
            var request = ListCollectionIDsRequest(database: database, parent: parent, pageSize: size)
            var found: [String] = []
            repeat {
                let page = try await server.unary(.listCollectionIDs, request, as: ListCollectionIDsMessage.self)
                found += page.ids
                request.pageToken = page.nextPageToken
            } while !request.pageToken.isEmpty
            #expect(found == expected)
        }
    }
}
