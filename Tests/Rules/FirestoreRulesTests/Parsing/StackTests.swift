// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreRules

/// Compiling, deciding and explaining fit on the stack of an ordinary thread, whatever the ruleset is.
struct StackTests {
    struct Source: Sendable {
        let name: String
        /// What stands below `documents`.
        let body: String
        var compiles = true

        init(_ name: String, condition: String, compiles: Bool = true) {
            self.init(name, "match /a/{x} { allow read, write: if \(condition); }", compiles: compiles)
        }

        init(_ name: String, _ body: String, compiles: Bool = true) {
            self.name = name
            self.body = body
            self.compiles = compiles
        }

        /// 21 functions, each of which calls the next one inside of `left` and `right`.
        static func chain(_ name: String, _ left: String, _ right: String = "", innermost: String = "true", condition: String = "f0()") -> Source {
            let functions = (0..<20).map { "function f\($0)() { return \(left)f\($0 + 1)()\(right); }" }.joined(separator: "\n")
            return Source(name, "\(functions) function f20() { return \(innermost); } match /a/{x} { allow read, write: if \(condition); }")
        }

        /// A condition inside of as many levels as an expression may have.
        static func nested(_ name: String, _ left: String, _ right: String = "", levels: Int = 97, compiles: Bool = true) -> Source {
            Source(name, condition: times(levels, left) + "true" + times(levels, right), compiles: compiles)
        }
    }

    private static func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }

    static let sources: [Source] = [
        .nested("parentheses", "(", ")"), .nested("negations", "!"), .nested("lists", "[", "]"), .nested("maps", "{'a': ", "}"), .nested("calls", "debug(", ")"),
        .nested("arguments", "'a'.matches(", ")"), .nested("indexes", "[1][", "]"), .nested("slices", "[1][0:", "]"), .nested("paths", "/a/$(", ")"),
        .nested("ternaries", "true ? true : "), .nested("conditions of ternaries", "(", " ? true : false)", levels: 49), .nested("right sides", "true && (", ")", levels: 48),
        .nested("operators of every precedence", "true || true && 1 in 1 == 1 < 1 + 1 * (", ")", levels: 12),
        .nested("operators of every precedence, too many", "true || true && 1 in 1 == 1 < 1 + 1 * (", ")", levels: 13, compiles: false),
        .nested("operators of every precedence, far too many", "true || true && 1 in 1 == 1 < 1 + 1 * (", "", levels: 5_000, compiles: false),
        Source("a chain of operands", condition: times(98, "true && ") + "true"), Source("a chain of members", condition: "request" + times(199, ".a") + " == 1", compiles: false),
        Source("a long chain of members", condition: "request" + times(198, ".a") + " == 1"), Source("a chain of methods", condition: "[1]" + times(195, ".concat([1])") + ".size() > 1"),
        .chain("functions with deep bodies", times(97, "!")), .chain("functions with long bodies", "", times(190, ".a")), .chain("functions as arguments", times(90, "debug("), times(90, ")")),
        .chain("functions in lists", times(4, "["), times(4, "]"), innermost: "1", condition: "f0() == debug(f0()) && f0() in [f0()].toSet()"),
        .chain("functions in lists, too many", times(5, "["), times(5, "]"), innermost: "1", condition: "f0() == f0()"),
        Source("variables in lists", {
            let variables = (1...10).map { "let a\($0) = [[[[[[[[[a\($0 - 1)]]]]]]]]];" }.joined()
            return "function f(a0) { \(variables) return a10; } match /a/{x} { allow read, write: if debug(f(1)) != 1 && f(1) == f(2); }"
        }()),
        Source("functions that multiply", {
            let functions = (1..<20).map { "function f\($0)(a) { return \(times(40, "f\($0 - 1)("))a\(times(40, ")")); }" }.joined()
            return "function f0(a) { return [a]; } \(functions) match /a/{x} { allow read: if f19(1) == 1; }"
        }(), compiles: false),
        Source("deep documents", condition: "resource.data.deep == resource.data.deep && resource.data.deep in [resource.data.deep].toSet()"),
        Source("deep claims", condition: "request.auth.token.deep == debug(request.auth.token.deep) && request.auth.token.deep in [request.auth.token.deep].toSet()"),
    ]

    private static let deepDocument: Document = {
        let deep = (0..<19).reduce(Value.integer(1)) { inner, level in .map(FieldMap([("a\(level)", inner)])) }
        return Samples.document("a/1", ("deep", deep), ("n", .integer(1)))
    }()

    /// As deep as a token may be.
    private static let claims = FieldMap([("deep", (0..<98).reduce(Value.integer(1)) { inner, _ in .array([inner]) }), ("sub", .string("u"))])

    @Test(arguments: sources.indices)
    func `every stack is large enough`(index: Int) {
        let source = Self.sources[index]
        var bytes: [String: Int] = [:]
        var rules: RuleSet?
        bytes["compile"] = MeasuredStack.bytes { rules = try? RuleSet(RulesFixture.text(source.body)) }
        #expect((rules != nil) == source.compiles, "\(source.name)")
        if let rules {
            let operations: [RulesRequest.Operation] = [
                .get([DocumentKey(trusted: "a/1")]), .list(query("a", field("n", .equal, .integer(1)))), .commit([.set("a/1")]),
            ]
            for (number, operation) in operations.enumerated() {
                let request = RulesRequest(operation, caller: .user(id: "u", claims: Self.claims), database: database, time: now)
                bytes["decide \(number)"] = MeasuredStack.bytes { _ = try? rules.decide(request, MemoryState([Self.deepDocument])) }
                bytes["explain \(number)"] = MeasuredStack.bytes {
                    _ = (try? rules.trace(request, MemoryState([Self.deepDocument])))?.explanation.description
                }
                bytes["cover \(number)"] = MeasuredStack.bytes {
                    let coverage = RulesCoverage(rules)
                    if let trace = try? rules.trace(request, MemoryState([Self.deepDocument])) { coverage.add(trace) }
                    _ = coverage.json.bytes()
                    _ = coverage.lcov
                }
            }
        }
        for (step, bytes) in bytes { #expect(bytes < MeasuredStack.ordinary * 3 / 4, "\(source.name): \(step)") }
    }

    @Test func `the error of values that are nested too deeply says where they are`() throws {
        let source = Self.sources.first { $0.name == "functions that multiply" }
        let error = #expect(throws: RulesError.self) { _ = try RuleSet(RulesFixture.text(source?.body ?? "")) }
        #expect(error?.description == "L3:355 Lists and maps are nested more than 100 levels deep.")
    }
}
