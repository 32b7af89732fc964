// SPDX-License-Identifier: Apache-2.0
@testable import FirestoreArchive
import FirestoreCore
import TestSupport
import Testing

/// Requests, and the answers of a bucket that works.
@Suite(.timeLimit(.minutes(2)))
struct S3ArchiveTests {
    @Test func `an object is written on the condition that there is none`() async throws {
        try await ScriptedServer.run(.stored, .error(412, "PreconditionFailed")) { server in
            let store = try server.archive(prefix: "servers/one")
            #expect(try await store.put("a b/ö", Array("hello".utf8)))
            #expect(try await !store.put("a b/ö", Array("hello".utf8)))
            let request = try #require(server.requests.first)
            #expect(request.hasPrefix("PUT /box/servers/one/a%20b/%C3%B6 HTTP/1.1\r\n") && request.hasSuffix("\r\n\r\nhello"))
            for line in [
                "Host: 127.0.0.1:\(server.port)", "If-None-Match: *", "Content-Length: 5", "x-amz-date: 20260826T103000Z",
                "x-amz-content-sha256: 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                "x-amz-checksum-sha256: LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=",
            ] {
                #expect(request.contains("\r\n\(line)\r\n"), "\(request) lacks \(line)")
            }
            #expect(request.contains("Credential=AKID/20260826/eu-test-1/s3/aws4_request, SignedHeaders=content-type;host;if-none-match;"))
            #expect(server.requests.count == 2)
        }
    }

    @Test func `an object is read, and its absence is not an error`() async throws {
        try await ScriptedServer.run(.object("hello"), .object(""), .error(404, "NoSuchKey"), .status(204), .error(404, "NoSuchKey")) { server in
            let store = try server.archive()
            #expect(try await store.get("a") == Array("hello".utf8))
            #expect(try await store.get("a") == [])
            #expect(try await store.get("a") == nil)
            try await store.delete("a")
            try await store.delete("a")
            #expect(server.requests.map { $0.prefix { $0 != " " } } == ["GET", "GET", "GET", "DELETE", "DELETE"])
        }
    }

    @Test func `a listing is read page by page, without the prefix and without what is not of the archive`() async throws {
        try await ScriptedServer.run(
            .listing(["p/a/0/", "p/a/1", "p/a/2"], continuation: "t&amp;1"), .listing([], continuation: "t2"), .listing(["p/a/3 &amp; 4"])
        ) { server in
            let store = try server.archive(prefix: "p")
            let objects = try await store.list("a/", after: "a/0", limit: 1_500)
            #expect(objects == ["a/1", "a/2", "a/3 & 4"].map { ArchiveObject(name: $0, size: 1) })
            let targets = server.requests.map { $0.split(separator: " ")[1] }
            #expect(
                targets == [
                    "/box/?list-type=2&max-keys=1000&prefix=p%2Fa%2F&start-after=p%2Fa%2F0",
                    "/box/?continuation-token=t%261&list-type=2&max-keys=1000&prefix=p%2Fa%2F",
                    "/box/?continuation-token=t2&list-type=2&max-keys=1000&prefix=p%2Fa%2F",
                ])
        }
    }

    @Test func `a listing ends at its limit`() async throws {
        try await ScriptedServer.run(.listing(["a", "b"], continuation: "t")) { server in
            let store = try server.archive()
            #expect(try await store.list("", after: nil, limit: 2).map(\.name) == ["a", "b"])
        }
    }

    @Test(arguments: [
        (["b", "a"], "order of names"), (["a", "a"], "order of names"), (["c"], "not asked for"), (["a0", "a1"], "begins before"),
    ])
    func `a listing that S3 would not answer is refused`(names: [String], words: String) async throws {
        try await ScriptedServer.run(.listing(names)) { server in
            let store = try server.archive()
            let (prefix, after): (String, String?) = names == ["c"] ? ("a", nil) : ("", names.count == 2 && names[0] == "a0" ? "a5" : nil)
            await expectError(.failedPrecondition, mentioning: words, "box") { try await store.list(prefix, after: after, limit: 9) }
        }
    }

    @Test func `a listing without end is refused`() throws {
        let page = try #require(S3Listing(Array("<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken></ListBucketResult>".utf8)))
        var pages = S3ListingPages(prefix: "", narrowed: "", after: nil, limit: 9)
        for _ in 0..<100 { #expect(pages.add(page) == nil && pages.nextQuery != nil) }
        #expect(pages.add(page) == "does not end")
    }
}
