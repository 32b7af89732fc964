// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirestoreRules

/// The budget of expressions and of documents read (SR-120 … SR-122).
struct BudgetTests {
    /// What each expression costs, measured with the official emulator.
    static let costs: [(condition: String, cost: Int)] = [
        ("true", 1), ("1 == 1", 3), ("-5 == -5", 5), ("1 in [1]", 4), ("1 is int", 3), ("[1, 2][0] == 1", 7), ("[1, 2][0:1] == [1]", 9), ("{'a': 1} == {'a': 1}", 7), ("{'a': 1}.a == 1", 6),
        ("math.abs(1) == 1", 4), ("'a'.matches('a')", 3), ("true ? true : false", 4), ("false ? false : true", 6), ("1 == 2 ? false : true", 8), ("false ? false : (false ? false : true)", 11), ("/a/b == /a/b", 7),
        ("/a/$('b') == /a/b", 7), ("string(1) == '1'", 4), ("request.path == request.path", 5), ("request.method == 'get'", 4), ("!false", 2), ("true && true", 4), ("true || true", 2),
        ("false || true", 4), ("!(false && true)", 3),
        ("path('a') == path('a')", 5), ("x == '404'", 3), ("exists(/databases/(default)/documents/q/1) == false", 9), ("debug(1) == 1", 4), ("(((1))) == 1", 3), ("[1, 2, 3].hasAny([1])", 7), ("{} == {}", 3),
        ("path('/a/{u}').bind({'u': 'x'}) == /a/x", 10), ("t()", 2), ("unused(1)", 3), ("one(1)", 5), ("twice(1 + 1)", 7), ("variable()", 6), ("once()", 8), ("twiceUsed()", 8), ("passed(1 + 1)", 9),
        ("resource == null", 3),
    ]

    private static let functions = """
        function t() { return true; } function unused(a) { return true; } function one(a) { return a == 1; } function twice(a) { return a == a; } \
        function variable() { let a = 1 + 1; return true; } function once() { let a = 1 + 1; return a == 2; } \
        function twiceUsed() { let a = 1 + 1; return a == a; } function passed(b) { return twice(b); }
        """

    @Test(arguments: costs.indices)
    func `an expression costs what it costs in the emulator`(index: Int) throws {
        let (condition, cost) = Self.costs[index]
        // The condition, two for the operator, n + 4 for the rest: together the budget, or one more.
        let rest = 1000 - 2 - 4 - cost
        #expect(try Self.allows("(\(condition)) && \(Self.list(rest)).size() > 0"), "\(condition) costs more")
        #expect(try !Self.allows("(\(condition)) && \(Self.list(rest + 1)).size() > 0"), "\(condition) costs less")
    }

    private static func list(_ count: Int) -> String { "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]" }

    private static func allows(_ condition: String) throws -> Bool {
        try RulesFixture("\(functions) match /a/{x} { allow get: if \(condition); }").allowsGet("a/404")
    }

    @Test func `996 elements are evaluated, 997 are not`() throws {
        #expect(try Self.allows("\(Self.list(996)).size() > 0"))
        #expect(try !Self.allows("\(Self.list(997)).size() > 0"))
    }

    /// In the order of the emulator: the statements of a match, then the matches in it; matches as they are written.
    static let orders: [(rules: String, isGranted: Bool)] = [
        ("match /a/{x} { allow get: if BIG; allow get: if BIG; allow get: if true; }", false), ("match /a/{x} { allow get: if true; allow get: if BIG; allow get: if BIG; }", true),
        ("match /a/{x} { allow get: if BIG; allow get: if BIG; } match /{y=**} { allow get; }", false), ("match /a/{x} { match /{z=**} { allow get: if true; } allow get: if BIG; allow get: if BIG; }", false),
        ("match /{y=**} { allow get: if true; } match /a/{x} { allow get: if BIG; allow get: if BIG; }", true), ("match /{y=**} { allow get: if BIG; allow get: if BIG; } match /a/{x} { allow get: if true; }", false),
        ("match /a/{x} { allow get: if BIG; allow list: if BIG; allow get: if true; }", true), ("match /a/{x} { allow get: if BIG && BIG || true; }", true),
        ("match /a/{x} { allow get: if (BIG || BIG) || true; }", false),
        ("match /b/{x} { allow get: if BIG; allow get: if BIG; } match /a/{x} { allow get: if true; }", true),
    ]

    @Test(arguments: orders.indices)
    func `a used up budget denies, and an earlier grant remains`(index: Int) throws {
        let (rules, isGranted) = Self.orders[index]
        let text = rules.replacingOccurrences(of: "BIG", with: "\(Self.list(900)).size() == 0")
        #expect(try RulesFixture(text).allowsGet("a/1") == isGranted, "\(rules)")
    }

    @Test func `every operation has a separate budget`() throws {
        let fixture = try RulesFixture("match /a/{x} { allow read, write: if \(Self.list(900)).size() > 0; }")
        #expect(try fixture.allows(.set("a/1"), .set("a/2"), .delete("a/3")))
        #expect(try fixture.decide(.get([DocumentKey(trusted: "a/1"), DocumentKey(trusted: "a/2")])).isGranted)
        #expect(try fixture.allows(query("a", field("n", .in, .array([.integer(1), .integer(2), .integer(3)])))))
    }

    // MARK: Documents

    private static func exists(_ ids: Range<Int>) -> String {
        ids.map { "exists(/databases/$(db)/documents/q/\($0)) == false" }.joined(separator: " && ")
    }

    @Test func `an operation reads ten documents`() throws {
        func allows(_ condition: String) throws -> Bool { try RulesFixture("match /a/{x} { allow get: if \(condition); }").allowsGet("a/1") }
        #expect(try allows(Self.exists(0..<10)))
        #expect(try !allows(Self.exists(0..<11)))
        // The error of the eleventh is like others.
        #expect(try allows("(\(Self.exists(0..<11))) || true"))
        // The same call is charged once, another function of the same document once more.
        #expect(try allows(Array(repeating: Self.exists(0..<1), count: 20).joined(separator: " && ")))
        let pairs = (0..<6).map { "(exists(/databases/$(db)/documents/users/\($0)) || get(/databases/$(db)/documents/users/\($0)) == 1)" }
        #expect(try allows((pairs.prefix(5) + ["true"]).joined(separator: " || ")))
        #expect(try !allows("!(\(Self.exists(0..<9))) || exists(/databases/$(db)/documents/users/alice) && getAfter(/databases/$(db)/documents/users/alice).data.role == 'admin'"))
        // An argument is evaluated even if it is not used.
        let text = "function f(a, b, c, d, e) { return true; } match /a/{x} { allow get: if f(\((0..<5).map { Self.exists($0..<($0 + 1)) }.joined(separator: ", "))) && \(Self.exists(5..<11)); }"
        #expect(try !RulesFixture(text).allowsGet("a/1"))
    }

    @Test func `all statements share the ten`() throws {
        func allows(_ count: Int) throws -> Bool {
            let statements = (0..<(count - 1)).map { "allow get: if exists(/databases/$(db)/documents/q/\($0));" } + ["allow get: if exists(/databases/$(db)/documents/users/alice);"]
            return try RulesFixture("match /a/{x} { \(statements.joined()) }").allowsGet("a/1")
        }
        #expect(try allows(10))
        #expect(try !allows(11))
    }

    @Test func `a request of several operations reads twenty`() throws {
        let fixture = try RulesFixture("match /a/{x} { allow write: if exists(/databases/$(db)/documents/q/$(x)) == false && exists(/databases/$(db)/documents/r/$(x)) == false; }")
        func writes(_ count: Int) -> [Write] { (0..<count).map { .set("a/\($0)") } }
        #expect(try fixture.decide(.commit(writes(10))).isGranted)
        #expect(try !fixture.decide(.commit(writes(11))).isGranted)
        // Paths that other writes have read count for the operation, not for the request.
        let shared = try RulesFixture("match /a/{x} { allow write: if \(Self.exists(0..<10)); }")
        #expect(try shared.decide(.commit(writes(50))).isGranted)
        #expect(try shared.decide(.commit(writes(50))).readDocuments.count == 10)
    }

    @Test func `documents are read once, and only if a condition needs them`() throws {
        let fixture = try RulesFixture("match /a/{x} { allow get: if get(/databases/$(db)/documents/users/alice).data.role == 'admin' && get(/databases/$(db)/documents/users/alice).id == 'alice'; }")
        let operation = RulesRequest.Operation.get([DocumentKey(trusted: "a/1")])
        let state = fixture.state(for: operation)
        let decision = try fixture.rules.decide(fixture.request(operation), state)
        #expect(decision.isGranted && state.reads == ["a/1", "users/alice"] && decision.readDocuments.map(\.path) == ["users/alice"] && !decision.usesTime)
        #expect(try RulesFixture("match /a/{x} { allow get: if request.time > timestamp.value(0); }").decide(operation).usesTime)
    }
}
