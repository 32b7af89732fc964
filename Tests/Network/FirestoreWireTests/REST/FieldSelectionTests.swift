// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreWire

/// Partial answers: the `fields` parameter.
struct FieldSelectionTests {
    private static let page = #"""
        {"documents":[{"name":"a","fields":{"title":{"stringValue":"x"},"é":{"integerValue":"1"}},"createTime":"1"},
        {"name":"b","fields":{}}],"nextPageToken":"t"}
        """#

    private func select(_ fields: String, _ json: String = page, of type: MessageType? = .listDocumentsResponse) throws -> String {
        try FieldSelection(fields, of: type).apply(to: try JSON(Array(json.utf8))).text()
    }

    @Test(arguments: [
        ("nextPageToken", #"{"nextPageToken":"t"}"#), ("next_page_token", #"{"nextPageToken":"t"}"#), ("documents/name", #"{"documents":[{"name":"a"},{"name":"b"}]}"#),
        ("documents(name,fields/title),nextPageToken", #"{"documents":[{"name":"a","fields":{"title":{"stringValue":"x"}}},{"name":"b","fields":{}}],"nextPageToken":"t"}"#),
        ("documents/name,documents/createTime", #"{"documents":[{"name":"a","createTime":"1"},{"name":"b"}]}"#),
        ("documents(fields(title(stringValue)))", #"{"documents":[{"fields":{"title":{"stringValue":"x"}}},{"fields":{}}]}"#),
        ("documents/fields/*/integerValue", #"{"documents":[{"fields":{"title":{},"é":{"integerValue":"1"}}},{"fields":{}}]}"#),
        ("documents/fields/é", #"{"documents":[{"fields":{"é":{"integerValue":"1"}}},{"fields":{}}]}"#),
        // DM-7: the same letter, spelt otherwise.
        ("documents/fields/e\u{301}", #"{"documents":[{"fields":{}},{"fields":{}}]}"#),
        ("*/name,nextPageToken", #"{"documents":[{"name":"a"},{"name":"b"}],"nextPageToken":"t"}"#), ("nextPageToken,nextPageToken", #"{"nextPageToken":"t"}"#),
        ("documents/name,documents", #"{"documents":[{"name":"a","fields":{"title":{"stringValue":"x"},"é":{"integerValue":"1"}},"createTime":"1"},{"name":"b","fields":{}}]}"#),
    ])
    func `a selection leaves the fields that it names`(fields: String, expected: String) throws { #expect(try select(fields) == expected) }

    @Test func `a selection of everything leaves the whole answer`() throws { #expect(try select("*") == JSON(Array(Self.page.utf8)).text()) }

    @Test(arguments: [
        ",", "documents,", "documents/", "/documents", "documents(", "documents()", "documents(name", "documents(name))", "documents)name", "documents(name)x", "documents//name",
        "nosuch", "documents/nosuch", "documents(name,nosuch)", "nextPageToken/x", "documents/name/x", "documents/fields/a/nosuch", "documents/fields/a/stringValue/x",
        String(repeating: "documents(", count: 300), Array(repeating: "nextPageToken", count: 600).joined(separator: ","),
        "documents/fields/a" + String(repeating: "/mapValue/fields/a", count: 100),
    ])
    func `text that is not a selection of this answer is rejected`(fields: String) {
        expectImmediateError(.invalidArgument, mentioning: "fields") { try select(fields) }
    }

    @Test func `any selection of any answer ends, and only leaves things out`() throws {
        var random = SeededGenerator(seed: 5)
        let pieces = ["documents", "name", "fields", "*", "/", "(", ")", ",", "title", "stringValue", "é", " "]
        for _ in 0..<TestScale.pick(quick: 2_000, full: 50_000) {
            let text = (0..<Int.random(in: 1...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            for type in [nil, MessageType.listDocumentsResponse] {
                if let left = try? select(text, of: type) { #expect(left.utf8.count <= Self.page.utf8.count) }
            }
        }
    }

    @Test(arguments: [
        ("?prettyPrint=false", "{\"name\":\"n\"}"), ("?$prettyPrint=false", "{\"name\":\"n\"}"), ("?pp=0", "{\"name\":\"n\"}"), ("?pp=false&fields=name", "{\"name\":\"n\"}"),
        ("?prettyPrint=true", "{\n  \"name\": \"n\"\n}"), ("", "{\n  \"name\": \"n\"\n}"), ("?fields=", "{\n  \"name\": \"n\"\n}"), ("?$fields=fields&prettyPrint=false", "{}"),
        ("?fields=fields&fields=name&prettyPrint=false", "{\"name\":\"n\"}"),
    ])
    func `the URL says how an answer looks`(query: String, expected: String) throws {
        let call = try #require(try RESTRouter.match(verb: "GET", target: "/v1/projects/p/databases/d/documents/c/d" + query))
        // Document.name
        #expect(String(decoding: try call.responseJSON(ByteSlice([0x0A, 0x01, UInt8(ascii: "n")])), as: UTF8.self) == expected)
    }

    @Test(arguments: ["?fields=nosuch", "?fields=(", "?$fields=name,,", "?prettyPrint=maybe", "?pp=2"])
    func `a mistake in it is found before the method runs`(query: String) {
        for verb in ["GET", "PATCH", "DELETE"] {
            expectImmediateError(.invalidArgument) { try RESTRouter.match(verb: verb, target: "/v1/projects/p/databases/d/documents/c/d" + query) }
        }
    }

    @Test(arguments: [
        ("/c/d", ["GET", "HEAD", "PATCH", "DELETE"]), ("/c", ["GET", "HEAD", "POST"]), (":commit", ["POST"]), (":nothing", []), ("", []), ("/c/%zz", []), ("/c/d?fields=(", ["GET", "HEAD", "PATCH", "DELETE"]),
    ])
    func `a path has verbs`(path: String, verbs: [String]) {
        #expect(RESTRouter.verbs(target: "/v1/projects/p/databases/d/documents" + path) == verbs)
    }
}
