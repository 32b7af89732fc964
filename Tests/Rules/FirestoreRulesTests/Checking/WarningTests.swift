// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import FirestoreRules

/// What the checker says about rulesets that compile (SR-131).
struct WarningTests {
    private func warnings(_ body: String, version: Int = 2) throws -> [String] {
        let rules = try RuleSet(RulesFixture.text(body, version: version))
        #expect(rules.issues.allSatisfy { $0.severity == .warning })
        return rules.issues.map { $0.line(in: rules.source) }
    }

    /// A condition of `get`, on line 3 from column 30, and the beginnings of its warnings.
    static let conditions: [(condition: String, warnings: [String])] = [
        ("request.auth != null && resource.data.owner == request.auth.uid", []), ("x == '1' && resource.data.n + 1 > 2 && resource.data.l[0] == 1", []),
        ("undefined == 1", ["L3:30 Invalid variable name: undefined."]), ("f()", ["L3:30 Invalid function name: f."]), ("math.max(1, 2) == 1", ["L3:35 Invalid function name: math.max."]),
        ("'a'.foo()", ["L3:34 Invalid function name: foo."]), ("'a'.size(1) == 1", ["L3:30 Incorrect number of arguments supplied to function: size."]),
        ("int() == 1", ["L3:30 Incorrect number of arguments supplied to function: int."]), ("debug(1, 2) == 1", ["L3:30 Incorrect number of arguments supplied to function: debug."]),
        ("exists()", ["L3:30 Incorrect number of arguments supplied to function: exists."]), ("1", ["L3:30 Invalid type. Permission statements expect a boolean value. Received one of [int]."]),
        ("'a'.replace('(', 'x') == 'a'", ["L3:42 Invalid regular expression pattern. Pattern: (."]), ("getAfter(/databases/$(db)/documents/a/b) == null", []),
        ("1 || true", ["L3:30 Invalid type. Received one of [int]. Expected one of [bool]."]), ("!'a'", ["L3:31 Invalid type. Received one of [string]. Expected one of [bool]."]),
        ("1 == 'a'", ["L3:30 The sub-expressions are not comparable, so this comparison will always return false."]), ("1 == 1.0 && [1] != []", []), ("'a' == null", ["L3:30 The sub-expressions are not comparable"]),
        ("request.auth == null && request.auth.uid == null", []), ("1 < 'a'", ["L3:30 Invalid type."]), ("true < false", ["L3:30 Invalid type."]), ("1 + 'a' == 1", ["L3:30 Invalid type."]),
        ("[1] + [2] == [1]", ["L3:30 Invalid type."]),
        ("(true ? 1 : 'a') == 1", ["L3:31 Ternary operator result if condition is true has a different type than if condition is false."]),
        ("'abc'.matches(1)", ["L3:44 Invalid type. Received one of [int]. Expected one of [string]."]),
        ("(1).size() == 1", ["L3:31 Invalid type. Received one of [int]."]),
        ("'a' in 'abc'", ["L3:37 Invalid type. Received one of [string]. Expected one of [list,set,map]."]), ("1 in {'a': 1}", ["L3:30 Invalid type."]),
        ("get('/a/b').data.n == 1", ["L3:34 Invalid type. Received one of [string]. Expected one of [path]."]), ("-'a' == 'a'", ["L3:31 Invalid type."]), ("{1: 2} == {}", ["L3:31 Invalid type."]),
        ("[1].hasAny([1].toSet())", ["L3:41 Invalid type."]),
        ("request.time < timestamp.date(2024, 1, 1) + duration.value(1, 'd')", []), ("request.method.size() == 3 && request.path[0] == 'databases'", []), ("/a/$([1]) == /a", ["L3:35 Invalid type."]),
    ]

    @Test(arguments: conditions.indices)
    func `conditions that cannot succeed are found`(index: Int) throws {
        let (condition, expected) = Self.conditions[index]
        let found = try warnings("match /a/{x} { allow get: if \(condition); }")
        #expect(found.count == expected.count && zip(found, expected).allSatisfy { $0.hasPrefix($1) }, "\(condition): \(found)")
    }

    @Test func `old versions, unknown methods and unused names are found`() throws {
        let none = "match /a/{x} { allow read; }"
        #expect(try warnings(none) == [])
        #expect(try warnings(none, version: 1) == ["Ruleset uses old version (version [1]). Please update to the latest version (version [2])."])
        #expect(try warnings("match /a/{x} { allow foo, read; }") == ["L3:22 Invalid method name: foo."])
        #expect(try warnings("function f(a) { let b = 1; return true; } \(none)") == ["L3:10 Unused function: f.", "L3:12 Unused variable: a.", "L3:21 Unused variable: b."])
        #expect(try warnings("function f(a) { let b = c; let c = 1; return b + a; } match /a/{x} { allow get: if f(1) == 1; }") == ["L3:25 Invalid variable name: c.", "L3:32 Unused variable: c."])
        // Functions see the wildcards around them, not the wildcards of their callers (SR-25).
        #expect(try warnings("function f() { return x == '1'; } match /a/{x} { allow get: if f(); }") == ["L3:23 Invalid variable name: x."])
        #expect(try warnings("match /a/{x} { function f() { return x == '1'; } allow get: if f(); }") == [])
        #expect(try warnings("function f(a) { return a; } match /a/{x} { allow get: if f(); }") == ["L3:58 Incorrect number of arguments supplied to function: f."])
    }

    @Test func `a top-level function that reads documents is outside of its service`() throws {
        let text = "rules_version = '2';\nfunction f() { return exists(/databases/d/documents/a/b); }\nservice cloud.firestore { match /a/{x} { allow get: if f(); } }"
        let rules = try RuleSet(text)
        #expect(rules.issues.map { $0.line(in: rules.source) } == ["L2:23 Call to service function 'exists' occurs outside of defining scope."])
    }

    // MARK: Lists (SR-96)

    /// A condition of `list` and the fields of its warnings; an empty text for a warning without a field.
    static let lists: [(condition: String, fields: [String])] = [
        ("!('secret' in resource.data)", ["secret"]), ("'secret' in resource.data", []), ("'a' in resource.data && !('b' in resource.data)", ["b"]), ("resource.data.get('pub', true)", ["pub"]),
        ("resource.data.get('pub', false)", []), ("!resource.data.get('pub', false)", ["pub"]), ("resource.data.get('n', 1) == 1", ["n"]), ("resource.data.keys().hasAll(['a'])", []),
        ("resource.data.keys().hasOnly(['a'])", [""]),
        ("!('a' in resource.data.keys())", [""]), ("'a' in resource.data.keys()", []), ("resource.data.size() == 1", [""]), ("resource.data == {'a': 1}", [""]), ("resource.data.m == {'a': 1}", ["m"]),
        ("resource.data.diff({}).affectedKeys().size() == 0", [""]),
        ("resource == null", []), ("resource != null && resource.data.n == 1", []), ("resource.data.n is int", ["n"]), ("resource.data.s is string", []), ("resource.data.n in [1, 2]", ["n"]),
        ("resource.data.s in ['a', 'b']", []),
        ("1 in resource.data.l", ["l"]), ("request.auth.uid in resource.data.members", []), ("resource.data.l.hasAny([1])", ["l"]), ("resource.data.l.hasAny(['a'])", []),
        ("resource.data.n / 2 == 1", ["n"]), ("resource.data.n + 1 == 2", []),
        ("resource.data.owner == request.auth.uid", []), ("f(resource.data)", [""]), ("g('secret', resource.data)", [""]), ("resource.data.l == [1]", ["l"]), ("'secret' in request.auth.token ? true : false", []),
    ]

    @Test(arguments: lists.indices)
    func `conditions that rest on missing fields are found`(index: Int) throws {
        let (condition, fields) = Self.lists[index]
        let rules = try RuleSet(RulesFixture.text(
            "match /a/{x} { function f(d) { let k = d.keys(); return k.size() < 3; } function g(k, d) { return !(k in d); } allow list: if \(condition); }"))
        let found = rules.issues.filter { $0.message.contains("list query") }
        #expect(found.map { $0.field ?? "" } == fields, "\(condition): \(found)")
        #expect(found.allSatisfy { $0.range != nil })
        // The same condition for get rests on nothing.
        let gets = try RuleSet(RulesFixture.text(
            "match /a/{x} { function f(d) { let k = d.keys(); return k.size() < 3; } function g(k, d) { return !(k in d); } allow get: if \(condition); }"))
        #expect(!gets.issues.contains { $0.message.contains("list query") }, "\(condition)")
    }
}
