// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreRules

/// Which statements are asked, and with what (SR-15 … SR-30, SR-80 … SR-88).
struct DecisionTests {
    // MARK: Matches

    /// Rules of a whole service, a document and whether it may be read.
    static let paths: [(rules: String, path: String, isGranted: Bool)] = [
        ("match /{p=**} { allow get; }", "a/1", true), ("match /a/{x} { allow get; }", "a/1", false), ("match /databases/{d}/documents/a/{x} { allow get: if d == '(default)'; }", "a/1", true),
        ("match /databases/(default)/documents/a/1 { allow get; }", "a/1", true), ("match /databases/other/documents/a/1 { allow get; }", "a/1", false),
        ("match /databases/{d}/documents { match /a/{x} { allow get; } }", "a/1/b/2", false),
        ("match /databases/{d}/documents { match /a/{x} { match /b/{y} { allow get: if x == '1' && y == '2'; } } }", "a/1/b/2", true),
        ("match /databases/{d}/documents/a/{x=**} { allow get: if x == /1/b/2 && string(x) == '/1/b/2' && x[0] == '1'; }", "a/1/b/2", true),
        ("match /databases/{d}/documents/a/{x=**} { allow get: if x == '1'; }", "a/1", false),
        ("match /databases/{d}/documents/a/{x}/{r=**} { allow get: if r is path; }", "a/1", true), ("match /databases/{d}/documents/{p=**}/b/{x} { allow get: if p == /a/1; }", "a/1/b/2", true),
        ("match /databases/{d}/documents/{p=**}/b/{x} { allow get; }", "b/2", true), ("match /databases/{d}/documents/{p=**}/b/{x} { allow get; }", "c/2", false),
        ("match /databases/{x}/documents/a/{x2} { match /b/{x} { allow get: if x == '2'; } }", "a/1/b/2", true),
        ("match /databases/{d}/documents/a/{x} { allow get: if x == 'ä/'; allow get: if x == 'ä'; }", "a/ä", true), ("match /{d=**}/{x}/{y} { allow get: if y == '1' && x == 'a'; }", "a/1", true),
        ("function f() { return database == 1; } match /databases/{database}/documents/a/{x} { allow get: if f(); }", "a/1", false), ("match /databases/{d}/documents/a/{x} { allow foo; }", "a/1", false),
        ("match /databases/{request}/documents/a/{x} { allow get: if request == '(default)'; }", "a/1", true), ("function get(p) { return true; } match /{p=**} { allow get: if get(1); }", "a/1", true),
    ]

    @Test(arguments: paths.indices)
    func `statements are found by the whole path`(index: Int) throws {
        let (rules, path, isGranted) = Self.paths[index]
        let fixture = try Self.service(rules)
        #expect(try fixture.allowsGet(path) == isGranted, "\(rules) \(path)")
    }

    private static func service(_ body: String) throws -> RulesFixture {
        var fixture = try RulesFixture("match /a/{x} { allow get; }")
        fixture.rules = try RuleSet("rules_version = '2'; service cloud.firestore { \(body) }")
        return fixture
    }

    @Test func `other services never match`() throws {
        var fixture = try RulesFixture("match /a/{x} { allow get; }")
        fixture.rules = try RuleSet("rules_version = '2'; service firebase.storage { match /{p=**} { allow get; } }")
        #expect(try !fixture.allowsGet("a/1"))
    }

    @Test func `many patterns are distinguished`() throws {
        let rules = (0..<300).map { "match /c\($0)/{x} { allow get: if x == '\($0)'; }" }.joined() + "match /{c}/only { allow get; }"
        let fixture = try RulesFixture(rules)
        for number in [0, 7, 150, 299] {
            #expect(try fixture.allowsGet("c\(number)/\(number)"))
            #expect(try !fixture.allowsGet("c\(number)/x"))
            #expect(try fixture.allowsGet("c\(number)/only"))
        }
        #expect(try !fixture.allowsGet("c300/300"))
    }

    // MARK: Methods

    /// A commit and the one method that must be allowed.
    static let methods: [(writes: [Write], method: String)] = [
        ([.set("a/9")], "create"), ([.set("a/1")], "update"), ([.set("a/1", precondition: .exists(false))], "create"), ([.set("a/9", precondition: .exists(true))], "update"),
        ([.patch("a/1", "n", .integer(1))], "update"),
        ([.patch("a/9", "n", .integer(1))], "create"), ([.patch("a/9", "n", .integer(1), precondition: .exists(true))], "update"),
        ([.patch("a/1", "n", .integer(1), precondition: .updateTime(DocumentVersion(microseconds: 5)))], "update"),
        ([.delete("a/1")], "delete"), ([.delete("a/9")], "delete"), ([.delete("a/9", precondition: .exists(true))], "delete"), ([.verify("a/1", .exists(true))], "get"),
        ([.set("a/9"), .delete("a/9")], "delete"), ([.delete("a/1"), .set("a/1")], "update"),
        ([.set("a/9"), .patch("a/9", "n", .integer(1))], "create"), ([.verify("a/1", .exists(true)), .delete("a/1")], "delete"), ([.increment("a/1")], "update"), ([.increment("a/9")], "create"),
    ]

    @Test(arguments: methods.indices)
    func `a write is judged by its effect`(index: Int) throws {
        let (writes, method) = Self.methods[index]
        for other in ["get", "list", "create", "update", "delete"] {
            let fixture = try RulesFixture("match /a/{x} { allow \(other): if request.method == '\(other)'; }")
            #expect(try fixture.decide(.commit(writes)).isGranted == (other == method), "\(index): \(other)")
        }
    }

    @Test func `read and write are groups`() throws {
        let read = try RulesFixture("match /a/{x} { allow read; }")
        let write = try RulesFixture("match /a/{x} { allow write; }")
        #expect(try read.allowsGet("a/1") && read.allows(query("a")) && !read.allows(.set("a/1")))
        #expect(try !write.allowsGet("a/1") && !write.allows(query("a")) && write.allows(.set("a/1"), .set("a/9"), .delete("a/2")))
    }

    @Test func `one denied operation denies the request`() throws {
        let fixture = try RulesFixture("match /a/{x} { allow read, write: if x != '2'; }")
        #expect(try fixture.decide(.get([DocumentKey(trusted: "a/1"), DocumentKey(trusted: "a/3")])).isGranted)
        #expect(try !fixture.decide(.get([DocumentKey(trusted: "a/1"), DocumentKey(trusted: "a/2")])).isGranted)
        #expect(try fixture.allows(.set("a/1"), .delete("a/3")))
        #expect(try !fixture.allows(.set("a/1"), .delete("a/2")))
        #expect(try fixture.decide(.commit([])).isGranted)
    }

    @Test func `administrators bypass rules`() throws {
        var fixture = try RulesFixture("match /a/{x} { allow read: if false; }")
        fixture.caller = .administrator
        #expect(try fixture.allowsGet("a/1") && fixture.allows(.delete("a/1")))
    }

    // MARK: What conditions see

    /// A condition of a write to `a/1`: `{n: 1 + 1, t: server time}` by a mask, with `m` removed.
    static let updates: [String] = [
        "request.resource.data.n == 2 && resource.data.n == 1", "request.resource.data.t == request.time", "!('m' in request.resource.data) && 'm' in resource.data", "request.resource.data.owner == 'alice'",
        "request.resource.data.diff(resource.data).affectedKeys() == ['n', 't', 'm'].toSet()",
        "request.resource.id == '1' && request.resource.__name__ == request.path", "request.inTransaction", "request.method == 'update'",
        "getAfter(/databases/$(db)/documents/a/1).data.n == 2 && get(/databases/$(db)/documents/a/1).data.n == 1", "existsAfter(/databases/$(db)/documents/a/2) == false && exists(/databases/$(db)/documents/a/2)",
        "!('query' in request)", "request.auth.uid == 'alice' && request.auth.token.sub == 'alice' && request.auth.keys() == ['token', 'uid']",
    ]

    @Test(arguments: updates)
    func `conditions see the document as it will be`(condition: String) throws {
        let fixture = try RulesFixture("match /a/1 { allow write: if \(condition); } match /a/2 { allow delete; }").as("alice")
        let write = Write(
            key: DocumentKey(trusted: "a/1"), operation: .patch(.empty, mask: [FieldPathSegments("m")]),
            transforms: [
                FieldTransform(path: FieldPathSegments("n"), kind: .increment(.integer(1))), FieldTransform(path: FieldPathSegments("t"), kind: .serverTimestamp),
            ])
        #expect(try fixture.allows(write, .delete("a/2")), "\(condition)")
    }

    private static let second = "/databases/$(db)/documents/a/2"
    private static let missing = "/databases/$(db)/documents/a/404"

    /// The writes beside one of `a/1`, a condition of that, and whether it grants in the official emulator (SR-85, SR-86).
    static let outcomes: [(writes: [Write], condition: String, isGranted: Bool)] = [
        ([.delete("a/2")], "getAfter(\(second)) == null", true), ([.delete("a/404")], "getAfter(\(missing)) == null", true),
        ([.set("a/404"), .delete("a/404")], "getAfter(\(missing)) == null", true), ([.verify("a/404", .exists(false))], "getAfter(\(missing)) == null", true),
        ([.delete("a/2"), .set("a/2")], "getAfter(\(second)) != null", true), ([.delete("a/2"), .set("a/2")], "getAfter(\(second)) == null", false),
        ([.delete("a/2")], "getAfter(\(second)) != null", false), ([.delete("a/2")], "getAfter(\(second)) is map", false), ([.delete("a/2")], "!(getAfter(\(second)) is map)", true),
        ([.delete("a/2")], "getAfter(\(second)) in [null]", true), ([.delete("a/2")], "getAfter(\(second)).data.n == 2", false), ([.delete("a/2")], "!(getAfter(\(second)).data.n == 2)", false),
        ([.delete("a/2")], "getAfter(\(second)) == null && !existsAfter(\(second)) && get(\(second)).data.n == 2", true),
        ([.delete("a/404")], "get(\(missing)) == null", false),
        // Of a document that is missing and not in the commit it is an error.
        ([], "getAfter(\(missing)) == null", false), ([], "getAfter(\(missing)) != null", false), ([], "getAfter(\(missing)) == null || true", true),
        ([.delete("a/2")], "getAfter(\(missing)) == null", false),
    ]

    @Test(arguments: outcomes.indices)
    func `a document that a commit deletes is null afterwards, any other missing document is an error`(index: Int) throws {
        let (writes, condition, isGranted) = Self.outcomes[index]
        let fixture = try RulesFixture("match /a/1 { allow write: if \(condition); } match /a/{x} { allow get, write: if x != '1'; }")
        #expect(try fixture.decide(.commit([.set("a/1")] + writes)).isGranted == isGranted, "\(condition)")
        #expect(try fixture.decide(.commit(writes + [.set("a/1")])).isGranted == isGranted, "\(condition), last")
    }

    @Test func `a document that a write deletes is null after it, and in a read there is no after`() throws {
        let condition = "getAfter(/databases/$(db)/documents/a/$(x)) == null"
        let fixture = try RulesFixture("match /a/{x} { allow get, delete: if \(condition); }")
        #expect(try fixture.allows(.delete("a/1")) && fixture.allows(.delete("a/404")))
        #expect(try !fixture.allowsGet("a/1") && !fixture.allowsGet("a/404"))
    }

    @Test func `values of documents have their types`() throws {
        let document = Samples.document(
            "a/1", ("int", .integer(1)), ("float", .double(1.5)), ("timestamp", .timestamp(TimestampValue(seconds: 1, nanoseconds: 0))),
            ("latlng", .geoPoint(GeoPointValue(latitude: 1, longitude: 2))), ("bytes", .bytes([1])),
            ("path", .reference("projects/demo-p/databases/(default)/documents/a/1")), ("list", .array([.null, .map(FieldMap([("x", .integer(7))]))])),
            ("map", .map(FieldMap([("a.b", .string("ä"))]))), ("vector", .vector([1, 2])), ("string", .string("x")),
            ("bool", .boolean(true)), ("null", .null), ("empty", .map(FieldMap())))
        var fixture = try RulesFixture("match /a/{x} { allow get; }", documents: [document])
        func holds(_ condition: String) throws {
            fixture.rules = try RuleSet(RulesFixture.text("match /a/{x} { allow get: if \(condition); }"))
            #expect(try fixture.allowsGet("a/1"), "\(condition)")
        }
        for type in ["int", "float", "timestamp", "latlng", "bytes", "path", "list", "map", "vector", "string", "bool"] { try holds("resource.data.\(type) is \(type)") }
        try holds("!(resource.data.vector is list) && !(resource.data.vector is map)")
        try holds("resource.data['null'] == null && resource.data.list[0] == null && resource.data.list[1].x == 7")
        try holds("resource.data.map['a.b'] == 'ä' && resource.data.empty == {} && resource.data.empty.size() == 0")
        try holds("get(resource.data.path).data.int == 1 && resource.data.path == resource.__name__")
        try holds("resource.data.keys().size() == 13 && resource.data.values().size() == 13 && !('createTime' in resource)")
        try holds("resource.data == get(request.path).data && resource.data.list == resource.data['list']")
    }

    @Test func `NaN equals nothing, even if the bytes are the same`() throws {
        let nested = Value.map(FieldMap([("x", .double(.nan))]))
        let document = Samples.document("a/1", ("n", .double(.nan)), ("l", .array([.double(.nan)])), ("m", nested))
        let condition = ["n", "l", "m"].map { "resource.data.\($0) != resource.data.\($0)" }.joined(separator: " && ")
        let fixture = try RulesFixture("match /a/{x} { allow get: if \(condition); }", documents: [document])
        #expect(try fixture.allowsGet("a/1"))
    }

    @Test func `document functions take paths of this database's documents only`() throws {
        for path in [
            "/t/x", "/databases/(default)/documents/users", "/databases/other/documents/users/alice", "'/databases/(default)/documents/users/alice'",
            "/databases/(default)/documents/users/$('')", "/databases/(default)/documents/users/$('')/b/1", "/databases/(default)/documents/$('')/$('')", "null", "path('/databases/(default)/documents/users/{u}')",
        ] {
            let fixture = try RulesFixture("match /a/{x} { allow get: if exists(\(path)) || !exists(\(path)); }")
            #expect(try !fixture.allowsGet("a/1"), "\(path)")
        }
    }

    @Test func `documents with impossible ids do not exist`() throws {
        // A slash in an id does not reach another document.
        for path in [
            "/databases/(default)/documents/users/$('alice/b/c')", "/databases/$(db)/documents/$('a/1/b')/9", "/databases/$(db)/documents/users/$('.')",
            "/databases/$(db)/documents/users/$('__x__')", "/databases/$(db)/documents/$('')/1", "/databases/$(db)/documents/a/1/$('')/2",
        ] {
            #expect(try RulesFixture("match /a/{x} { allow get: if exists(\(path)) == false && !existsAfter(\(path)); }").allowsGet("a/1"), "\(path)")
            #expect(try !RulesFixture("match /a/{x} { allow get: if get(\(path)) != null || get(\(path)) == null; }").allowsGet("a/1"), "\(path)")
        }
    }

    @Test func `the default database can be named without its id`() throws {
        let path = "/databases/$('')/documents/a/1"
        #expect(try RulesFixture("match /a/{x} { allow get: if exists(\(path)) && get(\(path)).data.n == 1; }").allowsGet("a/1"))
    }

    @Test func `signed out, uid and token are missing; without a subject uid is null`() throws {
        let fixture = try RulesFixture("match /a/{x} { allow get: if request.auth == null; } match /b/{x} { allow get: if request.auth.uid == null; }")
        #expect(try fixture.allowsGet("a/1") && !fixture.allowsGet("b/1"))
        #expect(try fixture.as("").allowsGet("b/1") && !fixture.as("").allowsGet("a/1"))
    }

    @Test func `a long list of NaN takes its time, not its square`() throws {
        let list = Value.array(Array(repeating: .double(.nan), count: 50_000))
        let document = Samples.document("a/1", ("l", list))
        let condition = "resource.data.l.toSet().size() == 50000 && !resource.data.l.hasAny(resource.data.l) && resource.data.l.removeAll(resource.data.l).size() == 50000"
        #expect(try RulesFixture("match /a/{x} { allow get: if \(condition); }", documents: [document]).allowsGet("a/1"))
    }

    // MARK: Errors of the state

    private final class BrokenState: RulesState {
        let code: FirestoreError.Code
        init(_ code: FirestoreError.Code) { self.code = code }
        func before(_ key: DocumentKey) throws(FirestoreError) -> Document? {
            if key.path == "a/1" { return nil }
            throw FirestoreError(code, "broken")
        }
        func after(_ key: DocumentKey) throws(FirestoreError) -> Document? { throw FirestoreError(code, "broken") }
    }

    @Test func `a state that cannot be read fails the request, a write that cannot be applied is judged`() throws {
        let fixture = try RulesFixture("match /a/{x} { allow write: if request.resource.data.n == 1; } match /b/{x} { allow read: if true; }")
        let request = fixture.request(.commit([.set("a/1", ("n", .integer(1)), precondition: .exists(true))]))
        #expect(throws: FirestoreError.self) { try fixture.rules.decide(request, BrokenState(.dataLoss)) }
        #expect(try fixture.rules.decide(request, BrokenState(.notFound)).isGranted)
        let other = fixture.request(.commit([.set("a/1", ("n", .integer(2)), precondition: .exists(true))]))
        #expect(try !fixture.rules.decide(other, BrokenState(.notFound)).isGranted)
        #expect(throws: FirestoreError.self) { try fixture.rules.decide(fixture.request(.get([DocumentKey(trusted: "b/1")])), BrokenState(.unavailable)) }
        // An error of reading is not absorbed by a condition.
        let reading = try RulesFixture("match /a/{x} { allow get: if exists(/databases/$(db)/documents/b/1) || true; }")
        #expect(throws: FirestoreError.self) { try reading.rules.decide(reading.request(.get([DocumentKey(trusted: "a/1")])), BrokenState(.dataLoss)) }
    }

    @Test func `results of conditions are bounded in size`() throws {
        // Each variable doubles the one before: 2 to the power of 33 characters.
        let variables = (1...11).map { "let a\($0) = a\($0 - 1) + a\($0 - 1);" }.joined()
        let fixture = try RulesFixture("function f(a0) { \(variables) return a11; } match /a/{x} { allow get: if f(f(f('x'))).size() > 0; }")
        #expect(try !fixture.allowsGet("a/1"))
        let lists = (1...11).map { "let a\($0) = a\($0 - 1).concat(a\($0 - 1));" }.joined()
        let other = try RulesFixture("function f(a0) { \(lists) return a11; } match /a/{x} { allow get: if f(f([1])).size() > 0; }")
        #expect(try !other.allowsGet("a/1"))
    }
}
