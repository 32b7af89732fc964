// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules
import TestSupport
import Testing

@testable import hearth

/// What the members of a case mean, asked of rules that look at them.
struct RulesCaseTests {
    /// A condition on `/a/{id}` and requests that it grants.
    static let granted: [(method: String, condition: String, request: String)] = [
        ("get", "request.auth == null", #""get": "a/1""#), ("get", "request.auth.uid == 'u' && request.auth.token.sub == 'u'", #""as": "u", "get": "a/1""#),
        ("get", "request.auth.token.admin == true && request.auth.token.n == 1", #""as": {"uid": "u", "admin": true, "n": 1}, "get": "a/1""#), ("get", "resource.data.n == 1", #""get": "a/1""#),
        ("get", "resource.data.n == 7", #""get": "a/1", "documents": {"a/1": {"n": 7}}"#), ("get", "resource == null", #""get": "a/1", "documents": {"a/1": null}"#), ("get", "resource == null", #""get": "a/9""#),
        ("get", "exists(/databases/$(database)/documents/b/1)", #""get": "a/1""#), ("get", "request.time == timestamp.value('2026-01-02T03:04:05Z')", #""get": "a/1", "time": "2026-01-02T03:04:05Z""#),
        ("list", "resource.data.n == 1 && resource.data.m == 'x'", #""list": "a", "where": ["n == 1", "m == \"x\""]"#), ("list", "request.query.limit <= 10", #""list": "a", "limit": 10"#),
        ("list", "request.query.offset == 2 && request.query.orderBy['n'] == 'DESC'", #""list": "a", "offset": 2, "orderBy": "n:desc""#),
        ("create", "request.resource.data.n == 1 && resource == null", #""create": "a/9", "data": {"n": 1}"#), ("create", "request.resource.data.t == request.time", #""set": "a/9", "serverTimestamps": ["t"]"#),
        ("update", "request.resource.data == {'n': 2}", #""set": "a/1", "data": {"n": 2}"#), ("update", "request.resource.data == {'n': 1, 'm': 2}", #""set": "a/1", "merge": true, "data": {"m": 2}"#),
        ("update", "request.resource.data == {'n': 1, 'o': {'p': 2}}", #""update": "a/1", "data": {"o.p": 2}"#), ("update", "request.resource.data == {}", #""update": "a/1", "deleteFields": "n""#),
        ("update", "request.resource.data.n == 4", #""update": "a/1", "increment": {"n": 3}"#), ("delete", "resource.data.n == 1", #""delete": "a/1""#),
        ("write", "getAfter(/databases/$(database)/documents/a/2).data.n == 5", #""batch": [{"set": "a/1", "data": {}}, {"set": "a/2", "data": {"n": 5}}]"#),
        ("update", "request.resource.data.t is timestamp && request.resource.data.g is latlng", #""set": "a/1", "data": {"t": {"$timestamp": "2026-01-01T00:00:00Z"}, "g": {"$geopoint": {"latitude":1,"longitude":2}}}"#),
        ("get", "database == 'other'", #""get": "a/1""#),
    ]

    @Test(arguments: granted.indices)
    func `a request is built from its members`(index: Int) throws {
        let (method, condition, request) = Self.granted[index]
        let rules = try RuleSet(RulesCommandTests.rules("match /a/{id} { allow \(method): if \(condition); }"))
        let database = condition.hasPrefix("database ==") ? #""database": "other", "# : ""
        let text = #"{\#(database)"documents": {"a/1": {"n": 1}, "b/1": {}}, "cases": [{"expect": "allow", \#(request)}]}"#
        let result = try #require(try RulesCaseFile([UInt8](text.utf8), name: "cases.json").cases.first).run(rules, strictLists: false)
        #expect(result.passed, "\(result.explanation)")
    }

    @Test func `a group is a query of all collections with an id, and lists can be strict`() throws {
        let rules = try RuleSet(RulesCommandTests.rules("match /{path=**}/b/{id} { allow list: if !('secret' in resource.data); }"))
        let file = try RulesCaseFile([UInt8](#"{"cases": [{"group": "b", "expect": "allow"}]}"#.utf8), name: "cases.json")
        #expect(try file.cases[0].run(rules, strictLists: false).passed)
        #expect(try !file.cases[0].run(rules, strictLists: true).passed)
    }

    @Test func `writes that cannot be applied are an error of the case, if rules look at their outcome`() throws {
        let rules = try RuleSet(RulesCommandTests.rules("match /a/{id} { allow write: if getAfter(/databases/$(database)/documents/a/2).data.n == 5; }"))
        let text = #"{"documents": {"a/1": {}}, "cases": [{"batch": [{"create": "a/1"}, {"set": "a/2", "data": {"n": 5}}], "expect": "deny"}]}"#
        let testCase = try #require(try RulesCaseFile([UInt8](text.utf8), name: "cases.json").cases.first)
        let error = #expect(throws: FirestoreError.self) { try testCase.run(rules, strictLists: false) }
        #expect(error?.location == "cases.json, case 1" && error?.message.contains("Document already exists") == true)
    }
}
