// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import FirestoreRules

/// What is a ruleset, and what the errors say about the others (SR-1 … SR-15).
struct GrammarTests {
    private static let open = "service cloud.firestore { match /databases/{db}/documents {"

    /// Rules in front of the service, rules in it, or a whole file; and the beginning of the error, or nil.
    static let files: [(text: String, error: String?)] = [
        ("rules_version = '2'; service cloud.firestore { match /a/{b} { allow read; } }", nil),
        ("rules_version = \"1\" service cloud.firestore { match /a/{b} { allow read; } }", nil),
        ("service cloud.firestore { match /a/{b} { allow read; } }", nil),
        ("// a\n/* b\n /* c */ rules_version='2'; service firebase.storage { match /a { allow read; } }", nil),
        ("", "L1:1 Rules content empty."), ("  // nothing", "L1:13 Rules content empty."),
        ("rules_version = '3'; service a { match /a { allow read; } }", "L1:17 Unsupported rules version 3."),
        ("rules_version = 2; service a { match /a { allow read; } }", "L1:17 Unexpected '2'. Expected '1' or '2' in quotes."),
        ("service a { match /a { allow read; } } rules_version = '2';", "L1:40 'rules_version' must be the first statement."),
        ("import 'x'; service a { match /a { allow read; } }", "L1:1 Unexpected 'import'."),
        ("function f() { return true; }", "L1:30 Unexpected end of the ruleset. Expected 'service'."),
        ("service cloud.firestore { }", "L1:27 Unexpected '}'. Expected 'match' or 'function'."),
        ("service cloud.firestore { match /a { } }", "L1:38 Unexpected '}'. Expected 'allow', 'match' or 'function'."),
        ("service cloud.firestore { allow read; }", "L1:27 Unexpected 'allow'. Expected 'match' or 'function'."),
        ("service cloud.firestore { match a { allow read; } }", "L1:33 Unexpected 'a'. Expected a path"),
        ("service a { match /a { allow read; } } service a { match /a { allow read; } }", "L1:48 Duplicate service name declaration: a."),
        ("service a { match /a { allow read; };}", "L1:37 Unexpected ';'. Expected 'match' or 'function'."),
        ("service a { match /a { allow read;; } }", "L1:35 Unexpected ';'. Expected 'allow', 'match' or 'function'."),
        ("service a { match /a { allow read", "L1:34 Unexpected end of the ruleset."),
        ("service a { match /a { allow read } } x", "L1:39 Unexpected 'x'. Expected 'service' or 'function'."),
        ("/* a", "L1:1 The comment is not closed"), ("# a", "L1:1 Unexpected '#'."), ("service é", "L1:9 Unexpected 'é'."),
        ("service a { match /a/{x} { match /{x=**} { allow read; } } }", nil),
        ("service a { match /a/{x=*} { allow read } }", nil), ("service a { match /a/(default)/b { allow read } }", nil),
        ("service a { match /a/{x=b} { allow read } }", "L1:25 Unexpected 'b'. Expected '*' or '**'."),
        ("service a { match /a/ { allow read } }", "L1:23 Unexpected '{'. Expected a segment of the path"),
        ("service a { match /a/{1} { allow read } }", "L1:23 Unexpected '1'. Expected the name of a wildcard."),
        ("service a { match /a!b { allow read } }", "L1:21 Unexpected '!'. Expected '{' after the path of the match."),
        ("service a { match /a-b_c.d~e%20:@+&*/{x} { allow read } }", nil),
        ("function f() { let x = 1; return x == 1; } service a { match /a { allow read: if f() } }", "L1:20 'let' is not allowed in version 1 of the rules language."),
        ("rules_version = '1'; service a { function f() { let x = 1; return x; } match /a { allow read: if f() == 1 } }", "L1:53 'let' is not allowed in version 1"),
        ("rules_version = '2'; service a { function f() { let x = 1; return x; } match /a { allow read: if f() == 1 } }", nil),
        ("service a { function f(x) { return x; } match /a { allow read: if f(1) == 1 } }", nil),
    ]

    @Test(arguments: files.indices)
    func `files are read or rejected with position and expectation`(index: Int) {
        let (text, expected) = Self.files[index]
        check(text, expected)
    }

    private func check(_ text: String, _ expected: String?) {
        do throws(RulesError) {
            _ = try RuleSet(text)
            #expect(expected == nil, "\(text)")
        } catch {
            #expect(expected.map { error.description.hasPrefix($0) } == true, "\(text): \(error)")
        }
    }

    /// What stands between `allow get: if ` and `;`, on line 3 from column 30.
    static let conditions: [(text: String, error: String?)] = [
        ("1/2 == 0", "L3:31 Missing 'match' keyword before path."), ("1 /2 == 0", "L3:32 Missing 'match' keyword before path."),
        ("1/ 2 == 0", nil), ("1/[2][0] == 0", nil), ("1 / (2) == 0", nil), ("1 /(2) == 0", "L3:32 Missing 'match' keyword before path."),
        ("1 == 010", "L3:35 Integers are written without leading zeros."), ("1 == 0x10", "L3:35 Unexpected '0x10'."), ("1_000 == 1", "L3:30 Unexpected '1_000'."),
        ("1e3 == 1", "L3:30 Unexpected '1e3'. A number consists of decimal digits"), ("9223372036854775808 > 0", "L3:30 Integer value is out of the ["),
        ("-9223372036854775808 < 0", nil), ("5. == .5", nil), ("+1 == 1", "L3:30 Unexpected '+'. Expected an expression."), ("1--1 == 2", "L3:31 Unexpected '--'."),
        ("--1 == 1", "L3:30 Unexpected '--'."), ("'a", "L3:30 The string is not closed on its line."), ("'\\d' == ''", "L3:31 Unknown escape in a string."),
        ("'\\0' == ''", "L3:31 Unknown escape"), ("b'\\u0041' == b''", "L3:32 Unknown escape"), ("'\\x4' == ''", "L3:31 Unknown escape"), ("'\\377\\x41\\u00e9' == ''", nil),
        ("true and true", "L3:35 Unexpected 'and'."), ("true & true", "L3:35 Unexpected '&'."), ("1 === 1", "L3:34 Unexpected '='."), ("1 <> 1", "L3:33 Unexpected '>'. Expected an expression."),
        ("not true", "L3:30 Unexpected 'not'. It is a reserved word"), ("request.if", "L3:38 Unexpected 'if'. It is a reserved word"), ("1 is thing", "L3:35 Unexpected 'thing'. Expected the name of a type"),
        ("1 is null", "L3:35 Unexpected 'null'."), ("f(,)", "L3:32 Unexpected ','."), ("[1 2]", "L3:33 Unexpected '2'. Expected ']'"), ("{'a' 1}", "L3:35 Unexpected '1'. Expected ':' between key and value"),
        ("(1", "L3:32 Unexpected ';'. Expected ')' after the expression."), ("true ? 1", "L3:38 Unexpected ';'. Expected ':' between the two results of '?'."),
        ("a[1:2:3]", "L3:35 Unexpected ':'. Expected ']' after the range."),
        ("[1][:] == [1]", nil), ("/a/ == /b", "L3:32 A path cannot end with a slash."), ("/a/$(1 == /b", "Unexpected ';'."), ("/a/{x=**}/{y} == /a", nil),
        ("if", "L3:30 Unexpected 'if'."), ("", "L3:30 Unexpected ';'. Expected an expression."),
        ("'a'.matches('(?=a)a')", "L3:42 Invalid regular expression pattern. Pattern: (?=a)a."), ("'a'.matches('(a)\\\\1')", "Invalid regular expression pattern."),
        ("'a'.matches('a{1001}')", "Invalid regular expression"), ("'a'.split('(') == []", "L3:40 Invalid regular expression pattern. Pattern: (."), ("'a'.replace('(', 'x') == 'a'", nil),
        ("math == 1", "L3:30 math is a package and cannot be used as variable name."), ("/a /b == /a/b", nil), ("_a.$b == 1", "L3:33 Unexpected '$'."), ("a$.b == 1", nil), ("as == const", nil),
    ]

    @Test(arguments: conditions.indices)
    func `conditions are read or rejected with position and expectation`(index: Int) {
        let (text, expected) = Self.conditions[index]
        let rules = RulesFixture.text("match /a/{x} { allow get: if \(text); }")
        do throws(RulesError) {
            _ = try RuleSet(rules)
            #expect(expected == nil, "\(text)")
        } catch {
            #expect(expected.map { error.description.contains($0) } == true, "\(text): \(error)")
        }
    }

    /// What stands in the service, on line 3.
    static let bodies: [(text: String, error: String?)] = [
        ("match /a/{x} { allow read: true; }", "L3:28 Missing 'if' before the condition."), ("match /a/{x} { allow read if true; }", "L3:27 Missing ':' before 'if'."),
        ("match /a/{x} { allow: if true; }", "L3:21 Unexpected ':'. Expected a method"), ("match /a/{x} { allow read, write, read; allow foo: if true }", nil),
        ("match /a/{x} { /b { allow read; } }", "L3:16 Missing 'match' keyword before path."),
        ("function f(a,) { return a; }", "L3:14 Unexpected ')'. Expected the name of a parameter."), ("function f(a) { let b = 1 return a; }", "L3:27 Unexpected 'return'. Expected ';' after the value"),
        ("function f() { if (true) { return 1; } }", "L3:16 Unexpected 'if'. Expected 'let' or 'return'."), ("function f() { return 1; return 2; }", "L3:26 Unexpected 'return'. Expected '}' after the result"),
        ("function f() { function g() { return 1; } return 1; }", "L3:16 Unexpected 'function'."), ("function in() { return 1; }", "L3:10 Unexpected 'in'. It is a reserved word"),
        ("function f(a, a) { return a; }", "L3:15 Variable a is already bound in the current scope."), ("function f(a) { let a = 1; return a; }", "L3:21 Variable a is already bound"),
        ("function f() { return 1; } function f(a) { return a; }", "L3:37 Function f is already bound in the current scope."), ("function f(math) { return math; }", "L3:12 math is a package"),
        ("match /{x}/{x} { allow read; }", "L3:13 Variable x is already bound in the current scope."), ("match /{p=**}/b/{q=**} { allow read; }", "L3:7 Invalid glob match expression. Only one glob match"),
        ("match /{p=**} { match /{q=**} { allow read; } }", "L3:23 Invalid glob match expression."), ("function f() { return f(); }", "L3:10 Recursive call is not allowed."),
        ("function f() { return g(); } function g() { return f(); }", "L3:10 Detected a call cycle between [f,g] functions."), ("function get(request) { return request; }", nil),
    ]

    @Test(arguments: bodies.indices)
    func `bodies are read or rejected with position and expectation`(index: Int) {
        let (text, expected) = Self.bodies[index]
        check(RulesFixture.text("\(text) match /z/{z} { allow read; }"), expected)
    }

    @Test func `version 1 permits a glob at the end only`() {
        check(RulesFixture.text("match /a/{x}/{r=**} { allow read; }", version: 1), nil)
        check(RulesFixture.text("match /{p=**}/b/{x} { allow read; }", version: 1), "L3:7 Invalid glob match expression. Glob matches are permitted as the last segment")
    }

    @Test func `columns count characters, not bytes`() {
        check(RulesFixture.text("match /a/{x} { allow get: if '😀ä' == '' && 1/2 == 0; }"), "L3:45 Missing 'match' keyword before path.")
        let source = RulesSource("ä\nöü\r\nx")
        #expect(source.position(of: 3) == SourcePosition(line: 2, column: 1) && source.position(of: 5) == SourcePosition(line: 2, column: 2))
        #expect(source.position(of: 9) == SourcePosition(line: 3, column: 1) && source.position(of: 99) == SourcePosition(line: 3, column: 2) && source.scalarOffset(of: 9) == 6)
    }

    @Test func `bytes that are not UTF-8 are rejected where they are`() {
        let bytes: [UInt8] = Array("service a { // ".utf8) + [0xFF] + Array("\n match /a { allow read; } }".utf8)
        #expect { _ = try RuleSet(RulesSource(bytes)) } throws: { error in "\(error)" == "L1:16 The ruleset is not valid UTF-8." }
    }
}
