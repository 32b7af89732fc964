// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreRules

/// What filters prove (SR-90 … SR-99). Where Hearth rejects what the official emulator grants, the row says so.
struct ListProofTests {
    typealias Row = (condition: String, filter: QueryFilter?, answer: Answer)

    enum Answer: Sendable {
        /// Granted in both modes.
        case proven
        /// Granted, and rejected by strict lists.
        case assumed
        case refused
        /// Rejected, although the official emulator grants it, because documents of the result could violate it.
        case unsound
    }

    private static func n(_ op: QueryFilter.FieldOperator, _ value: Int64) -> QueryFilter { field("n", op, .integer(value)) }
    private static func list(_ values: Int64...) -> Value { .array(values.map { .integer($0) }) }

    static let constraints: [Row] = [
        ("R.n > 2", n(.greaterThan, 2), .proven), ("2 < R.n", n(.greaterThan, 2), .proven), ("R.n > 1.5", n(.greaterThan, 2), .proven), ("R.n > 2.0", n(.greaterThan, 2), .proven),
        ("R.n >= 2", n(.greaterThan, 2), .proven),
        ("R.n >= 3", n(.greaterThan, 2), .refused), ("R.n > 2", n(.greaterThan, 3), .proven), ("R.n >= 3", n(.greaterThan, 3), .proven), ("R.n < 1", n(.greaterThan, 2), .refused),
        ("!(R.n < 3)", n(.greaterThanOrEqual, 3), .refused),
        ("R.n > 2", n(.greaterThanOrEqual, 3), .proven), ("R.n >= 3", field("n", .greaterThanOrEqual, .double(3)), .refused), ("R.n > 2.5", field("n", .greaterThan, .double(3)), .proven),
        ("R.n > 2.5", n(.greaterThan, 3), .proven), ("R.n > 1", field("n", .greaterThan, .double(1.5)), .refused),
        ("R.n + 1 > 2", n(.greaterThan, 2), .refused), ("R.n is int", n(.greaterThan, 2), .refused), ("!(R.n is int)", n(.greaterThan, 2), .unsound),
        ("R.n is constraint", n(.greaterThan, 2), .assumed), ("R.n in [1, 3]", n(.greaterThan, 2), .refused),
        ("!(R.n in [1, 2])", n(.greaterThan, 2), .proven), ("!(R.n in [1, 'x', null, true])", n(.greaterThan, 2), .proven), ("!(R.n in [1, 3])", n(.greaterThan, 2), .unsound),
        ("R.n != 2", n(.greaterThan, 2), .proven), ("R.n != null", n(.greaterThan, 2), .proven), ("null != R.n", n(.greaterThan, 2), .proven),
        ("R.n != 3", n(.greaterThan, 2), .refused), ("R.n != 'x'", n(.greaterThan, 2), .refused),
        ("R.n == 3", n(.greaterThan, 2), .refused), ("!(R.n == 1)", n(.greaterThan, 2), .refused), ("R.n == R.n", n(.greaterThan, 2), .refused), ("{'a': R.n}.a > 2", n(.greaterThan, 2), .proven),
        ("debug(R.n) > 2", n(.greaterThan, 2), .proven), ("(true ? R.n : 1) > 2", n(.greaterThan, 2), .proven),
        ("R.n != 2", n(.notEqual, 2), .proven), ("R.n != 2.0", n(.notEqual, 2), .proven), ("R.n != 3", n(.notEqual, 2), .refused), ("R.n != null", n(.notEqual, 2), .proven),
        ("R.n != 2 && R.n != 3", field("n", .notIn, list(2, 3)), .proven), ("!(R.n in [2])", n(.notEqual, 2), .proven), ("!(R.n in [2, 3])", field("n", .notIn, list(2, 3)), .proven),
        ("!(R.n in [2, 4])", field("n", .notIn, list(2, 3)), .unsound),
        ("!(R.n is string)", n(.greaterThan, 2), .proven), ("!(R.n is float)", n(.greaterThan, 2), .unsound), ("!(R.n is string)", n(.notEqual, 2), .unsound), ("R.n is string", n(.greaterThan, 2), .refused),
        ("R.n > 2 && R.n < 5", .and([n(.greaterThan, 2), n(.lessThan, 5)]), .proven), ("R.n == 3", .and([n(.greaterThanOrEqual, 3), n(.lessThanOrEqual, 3)]), .refused),
        ("R.n > 2 || R.n < 1", n(.notEqual, 1), .refused), ("R.b == true", field("b", .notEqual, .boolean(false)), .refused),
        ("R.s > 'a'", field("s", .greaterThan, .string("b")), .proven), ("R.s < 'z'", field("s", .greaterThan, .string("b")), .refused), ("R.o != 'bob'", field("o", .lessThan, .string("b")), .proven),
        ("R.s.size() > 0", field("s", .greaterThan, .string("b")), .refused),
        ("R.x == null", field("x", .equal, .null), .proven), ("R.x != null", field("x", .notEqual, .null), .proven), ("R.x == 5", field("x", .equal, .null), .refused),
        ("'x' in resource.data", field("x", .equal, .null), .proven), ("R.x != 5", field("x", .notEqual, .null), .refused),
        // Above 2^53 conditions round what queries compare exactly.
        ("R.n > 9007199254740993", n(.greaterThan, 9_007_199_254_740_993), .unsound), ("R.n != 9007199254740993", n(.notEqual, 9_007_199_254_740_993), .unsound),
        ("R.t > timestamp.value(0)", field("t", .greaterThan, .timestamp(TimestampValue(seconds: 1, nanoseconds: 0))), .proven),
        ("R.t < request.time", field("t", .lessThan, .timestamp(TimestampValue(seconds: 1, nanoseconds: 0))), .proven),
    ]

    static let arrays: [Row] = [
        ("1 in R.l", field("l", .arrayContains, .integer(1)), .assumed), ("'a' in R.l", field("l", .arrayContains, .string("a")), .proven),
        ("2 in R.l", field("l", .arrayContains, .integer(1)), .refused), ("!(2 in R.l)", field("l", .arrayContains, .integer(1)), .refused),
        ("R.l.hasAny(['a', 'b'])", field("l", .arrayContains, .string("a")), .proven), ("R.l.hasAny([1, 5])", field("l", .arrayContains, .integer(1)), .assumed),
        ("R.l.hasAny(['b'])", field("l", .arrayContains, .string("a")), .refused),
        ("!(R.l is map)", field("l", .arrayContains, .string("a")), .proven), ("!R.l.hasAny(['b'])", field("l", .arrayContains, .string("a")), .unsound),
        ("R.l.hasAll(['a'])", field("l", .arrayContains, .string("a")), .refused),
        ("R.l.size() > 0", field("l", .arrayContains, .string("a")), .refused), ("R.l != null", field("l", .arrayContains, .string("a")), .proven),
        ("R.l.hasAny(['a', 'b'])", field("l", .arrayContainsAny, .array([.string("a"), .string("b")])), .proven),
        ("R.l.hasAny(['a'])", field("l", .arrayContainsAny, .array([.string("a"), .string("b")])), .refused), ("request.auth.uid in R.l", field("l", .arrayContains, .string("alice")), .proven),
    ]

    static let equalities: [Row] = [
        ("R.n == 1", n(.equal, 1), .proven), ("R.n == 1.0", n(.equal, 1), .proven), ("R.n + 1 > 1", n(.equal, 1), .proven), ("R.n < 2", n(.equal, 1), .proven), ("R.n is int", n(.equal, 1), .assumed),
        ("R.n is number", n(.equal, 1), .proven), ("R.n in [1, 2]", n(.equal, 1), .assumed),
        ("R.n / 2 == 0", n(.equal, 1), .assumed), ("R.n != 2", n(.equal, 1), .proven), ("-R.n == -1", n(.equal, 1), .proven), ("math.floor(R.n) == 1", n(.equal, 1), .proven),
        ("string(R.n) == '1'", n(.equal, 1), .unsound), ("[R.n] == [1]", n(.equal, 1), .assumed),
        ("R.n == 1.5", field("n", .equal, .double(1.5)), .proven), ("R.n is float", field("n", .equal, .double(1.5)), .proven),
        ("R.s == 'x' && R.s.matches('x') && R.s.size() == 1", field("s", .equal, .string("x")), .proven), ("R.s is string", field("s", .equal, .string("x")), .proven),
        ("R.s in ['x', 'y']", field("s", .equal, .string("x")), .proven),
        ("R.l == ['a'] && R.l.size() == 1", field("l", .equal, .array([.string("a")])), .proven), ("R.l == [1]", field("l", .equal, list(1)), .assumed),
        ("R.m == {'k': 'a'}", field("m", .equal, .map(FieldMap([("k", .string("a"))]))), .proven), ("R.m.k == 1", field("m", .equal, .map(FieldMap([("k", .integer(1))]))), .proven),
        ("R.m.k == 'a'", field("m.k", .equal, .string("a")), .proven), ("R.m == {'k': 'a'}", field("m.k", .equal, .string("a")), .assumed),
        ("R.m.keys().hasAll(['k'])", field("m.k", .equal, .string("a")), .proven), ("R.m.keys().hasOnly(['k'])", field("m.k", .equal, .string("a")), .assumed),
        ("'k' in R.m && R.m.k > 0", field("m.k", .greaterThan, .integer(0)), .proven), ("R.m is map", field("m.k", .equal, .integer(1)), .proven),
        ("R.m.j == 1", field("m.k", .equal, .integer(1)), .refused), ("!('j' in R.m)", field("m.k", .equal, .integer(1)), .assumed),
        ("R.m.get('j', 3) == 3", field("m.k", .equal, .integer(1)), .assumed),
        ("R.owner == request.auth.uid", field("owner", .equal, .string("alice")), .proven), ("R.owner == request.auth.uid", field("owner", .equal, .string("bob")), .refused),
        ("R.owner == request.auth.uid", nil, .refused), ("R.m.size() == 1", field("m.k", .equal, .string("a")), .unsound),
    ]

    static let documents: [Row] = [
        ("!('secret' in resource.data)", nil, .assumed), ("resource.data.get('pub', true)", nil, .assumed), ("resource.data.get('pub', false)", nil, .refused),
        ("'secret' in resource.data", nil, .refused), ("resource.data.size() == 0", nil, .assumed), ("resource.data is map && resource is map", nil, .proven),
        ("resource == null", nil, .refused), ("resource != null", nil, .proven), ("resource.id == '1'", nil, .refused), ("!('id' in resource)", nil, .assumed),
        ("resource.data == {'s': 'x'}", field("s", .equal, .string("x")), .assumed), ("resource.data.keys().hasAll(['n'])", n(.greaterThan, 1), .proven),
        ("resource.data.keys().hasOnly(['s'])", field("s", .equal, .string("x")), .assumed), ("resource.data.diff({'s': 'x'}).affectedKeys().size() == 0", field("s", .equal, .string("x")), .assumed),
        ("resource.data.values() == ['x']", field("s", .equal, .string("x")), .assumed),
        ("x == '1'", nil, .refused), ("x != '1'", nil, .refused), ("x is string", nil, .refused), ("!(x == '1')", nil, .refused),
        ("request.query.limit == null && request.query.offset == 0 && request.query.orderBy == {}", nil, .proven), ("request.query.limit <= 10", nil, .refused),
        ("exists(/databases/$(db)/documents/users/$(request.auth.uid))", nil, .proven), ("exists(/databases/$(db)/documents/users/$(R.owner))", field("owner", .equal, .string("alice")), .proven),
        ("exists(/databases/$(db)/documents/users/$(R.owner))", nil, .refused), ("exists(/databases/$(db)/documents/a/$(x))", nil, .refused),
        ("request.resource == null", nil, .refused), ("request.method == 'list' && request.path == /databases/$(db)/documents/a", nil, .proven),
        ("resource.data.pub == true || resource.data.owner == request.auth.uid", .or([field("pub", .equal, .boolean(true)), field("owner", .equal, .string("alice"))]), .proven),
        ("resource.data.pub == true", .or([field("pub", .equal, .boolean(true)), field("owner", .equal, .string("alice"))]), .refused),
        ("R.s in ['x', 'y']", field("s", .in, .array([.string("x"), .string("y")])), .proven), ("R.s == 'x'", field("s", .in, .array([.string("x"), .string("y")])), .refused),
    ]

    @Test(arguments: [constraints, arrays, equalities, documents].flatMap { $0 }.indices)
    func `filters prove so much and no more`(index: Int) throws {
        let row = [Self.constraints, Self.arrays, Self.equalities, Self.documents].flatMap { $0 }[index]
        let condition = row.condition.replacing("R.", with: "resource.data.")
        var fixture = try RulesFixture("match /a/{x} { allow list: if \(condition); }").as("alice")
        let isGranted = try fixture.allows(query("a", row.filter))
        fixture.strictLists = true
        let isGrantedStrictly = try fixture.allows(query("a", row.filter))
        switch row.answer {
        case .proven: #expect(isGranted && isGrantedStrictly, "\(row)")
        case .assumed: #expect(isGranted && !isGrantedStrictly, "\(row)")
        case .refused, .unsound: #expect(!isGranted && !isGrantedStrictly, "\(row)")
        }
        // Nothing is assumed without a warning.
        if case .assumed = row.answer { #expect(fixture.rules.issues.contains { $0.message.contains("list query") }, "\(row)") }
    }

    // MARK: Paths of queries

    private static let named = field("__name__", .equal, .reference("projects/demo-p/databases/(default)/documents/a/1"))

    static let scopes: [(rules: String, query: StructuredQuery, isGranted: Bool)] = [
        ("match /a/{x} { allow list; }", query("a"), true), ("match /b/{x} { allow list; }", query("a"), false), ("match /a/1 { allow list; }", query("a"), false),
        ("match /{x=**} { allow list; }", query("a"), true), ("match /a/{x=**} { allow list; }", query("a"), true),
        ("match /a/{x=**} { allow list: if x == /1; }", query("a"), false), ("match /a/{x}/b/{y} { allow list: if x == '1'; }", query("a/1/b"), true),
        ("match /a/{x}/b/{y} { allow list: if x == '1'; }", query("a/2/b"), false), ("match /a/{x}/{c}/{y} { allow list: if c == 'b'; }", query("a/1/b"), true),
        ("match /a/{x}/{r=**} { allow list: if x == '1'; }", query("a/1/b"), true), ("match /{p=**}/b/{y} { allow list; }", query("a/1/b"), true),
        ("match /{p=**}/b/{y} { allow list: if p == /a/1; }", query("a/1/b"), true), ("match /{p=**}/b/{y} { allow list; }", group("b"), true),
        ("match /{p=**}/b/{y} { allow list: if p is path; }", group("b"), false), ("match /{p=**}/b/{y} { allow list: if y == '1'; }", group("b"), false),
        ("match /{p=**}/c/{y} { allow list; }", group("b"), false), ("match /{p=**}/{c}/{y} { allow list; }", group("b"), true),
        ("match /{p=**} { allow list; }", group("b"), true), ("match /a/{x}/b/{y} { allow list; }", group("b"), false), ("match /b/{y} { allow list; }", group("b"), false),
        ("match /a/{x}/{p=**} { allow list; }", group("b"), false),
        ("match /a/{x}/{p=**} { allow list: if x == '1'; }", StructuredQuery(scope: .collectionGroup(id: "b", under: DocumentKey(trusted: "a/1"))), true),
        ("match /{p=**}/b/{y} { allow list; }", StructuredQuery(scope: .kindless(under: nil, allDescendants: true)), false),
        ("match /{p=**} { allow list; }", StructuredQuery(scope: .kindless(under: nil, allDescendants: true)), true),
        ("match /a/{x}/{r=**} { allow list; }", StructuredQuery(scope: .kindless(under: DocumentKey(trusted: "a/1"), allDescendants: false)), true),
        ("match /a/{x} { allow list: if x == '1' && resource.id == '1' && resource.__name__ == /databases/$(db)/documents/a/1; }", query("a", named), true),
        ("match /a/{x} { allow list: if x == '2'; }", query("a", named), false), ("match /a/1 { allow list; }", query("a", named), true), ("match /a/2 { allow list; }", query("a", named), false),
        ("match /a/{x} { allow list: if request.query.limit <= 10; }", query("a", limit: 10), true), ("match /a/{x} { allow list: if request.query.limit <= 10; }", query("a", limit: 11), false),
    ]

    @Test(arguments: scopes.indices)
    func `the paths of a query's documents are known as far as it says`(index: Int) throws {
        let (rules, query, isGranted) = Self.scopes[index]
        #expect(try RulesFixture(rules).as("alice").allows(query) == isGranted, "\(rules)")
    }

    @Test func `different statements can grant the alternatives of a filter`() throws {
        let either = QueryFilter.or([field("pub", .equal, .boolean(true)), field("owner", .equal, .string("alice"))])
        let fixture = try RulesFixture("match /a/{x} { allow list: if resource.data.pub == true; } match /{y=**} { allow list: if resource.data.owner == request.auth.uid; }")
        #expect(try fixture.as("alice").allows(query("a", either)))
        #expect(try !fixture.as("bob").allows(query("a", either)))
    }

    @Test func `as many alternatives as a query may have are judged`() throws {
        let fixture = try RulesFixture("match /a/{x} { allow list: if true; }")
        #expect(try fixture.allows(query("a", .or((0..<30).map { Self.n(.equal, $0) }))))
    }

    @Test func `lists do not read the documents of their result`() throws {
        let fixture = try RulesFixture("match /a/{x} { allow list: if resource.data.pub == true; }")
        let operation = RulesRequest.Operation.list(query("a", field("pub", .equal, .boolean(true))))
        let state = fixture.state(for: operation)
        #expect(try fixture.rules.decide(fixture.request(operation), state).isGranted && state.reads.isEmpty)
    }
}
