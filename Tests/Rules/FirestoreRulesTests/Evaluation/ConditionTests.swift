// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreRules

/// A condition and what it comes to: true, false, or an error whose message contains a text.
struct ConditionRow: Sendable, CustomTestStringConvertible {
    enum Answer: Sendable, Equatable {
        case holds, fails
        case error(String)
    }

    let condition: String
    let answer: Answer

    init(_ condition: String, _ answer: Answer) {
        self.condition = condition
        self.answer = answer
    }

    var testDescription: String { condition }

    /// What a condition comes to on `a/1`, for alice.
    static func evaluate(_ condition: String, functions: String = "") throws -> Answer {
        let fixture = try RulesFixture("\(functions) match /a/{x} { allow get: if \(condition); }").as("alice")
        let operation = RulesRequest.Operation.get([DocumentKey(trusted: "a/1")])
        let trace = try fixture.rules.trace(fixture.request(operation), fixture.state(for: operation))
        guard let statement = trace.explanation.statements.first else { return .error("no statement") }
        switch statement.outcome {
        case "true": return .holds
        case "false": return .fails
        case let message: return .error(message)
        }
    }

    func check(_ location: SourceLocation = #_sourceLocation) throws {
        let found = try Self.evaluate(condition)
        if case .error(let expected) = answer, case .error(let message) = found {
            #expect(message.contains(expected), "\(condition)", sourceLocation: location)
        } else {
            #expect(found == answer, "\(condition)", sourceLocation: location)
        }
    }
}

/// Logic, null and operators (SR-40 … SR-60).
struct ConditionTests {
    static let logic: [ConditionRow] = [
        // Kleene's tables, with 1 / 0 == 0 for an error.
        .init("true || true", .holds), .init("true || false", .holds), .init("true || 1 / 0 == 0", .holds),
        .init("false || true", .holds), .init("false || false", .fails), .init("false || 1 / 0 == 0", .error("Divide by zero")),
        .init("1 / 0 == 0 || true", .holds), .init("1 / 0 == 0 || false", .error("Divide by zero")),
        .init("1 / 0 == 0 || resource.data.zz", .error("Property zz")),
        .init("true && true", .holds), .init("true && false", .fails), .init("true && 1 / 0 == 0", .error("Divide by zero")),
        .init("false && 1 / 0 == 0", .fails), .init("1 / 0 == 0 && true", .error("Divide by zero")), .init("1 / 0 == 0 && false", .fails),
        .init("!(1 / 0 == 0 && false)", .holds), .init("!(1 / 0 == 0)", .error("Divide by zero")),
        // Operands that are not bool (SR-41).
        .init("1 || true", .holds), .init("false && 1", .fails), .init("true && 1", .error("Type error. Received: [int] Expected: [bool].")),
        .init("null && false", .fails), .init("null || true", .holds), .init("1", .error("Type error")), .init("null", .error("Null value")),
        // Ternary (SR-42): only the branch that is taken is evaluated.
        .init("true ? true : 1 / 0 == 0", .holds), .init("false ? 1 / 0 == 0 : true", .holds), .init("1 ? true : true", .error("Type error")),
        .init("null ? true : true", .error("Null value")), .init("false ? true : false ? false : true", .holds),
        // Unary operators (SR-14).
        .init("!1 is string", .error("Unsupported operation error. Received: !int. Expected: !bool.")), .init("!('q' in resource.data)", .holds),
        .init("!'a' in resource.data", .error("!string")), .init("-(-1) == 1", .holds), .init("!!true", .holds),
    ]

    static let precedence: [ConditionRow] = [
        .init("1 in [1] == true", .error("Function not found error: Name: [in].")),
        .init("1 in [1] is bool", .error("Function not found error: Name: [in].")), .init("true == 1 is bool", .holds),
        .init("1 is int == true", .holds), .init("1 < 2 == true", .holds), .init("true == 1 < 2", .holds), .init("1 == 1 in [true]", .holds),
        .init("2 in [2] in [true]", .holds), .init("1 < 2 < 3", .error("bool < int")), .init("2 > 1 in [true]", .holds),
        .init("'a' + 'b' in ['ab']", .holds), .init("1 + 1 is int", .holds), .init("1 + 2 * 3 == 7", .holds), .init("7 - 2 - 1 == 4", .holds),
        .init("(1 + 2) * 3 == 9", .holds), .init("true || false && false", .holds), .init("-1 + 2 == 1", .holds), .init("- 5 == -5", .holds),
        .init("true ? false : true || true", .fails), .init("8 / 2 / 2 == 2", .holds), .init("5 % 3 * 2 == 4", .holds),
    ]

    static let nulls: [ConditionRow] = [
        .init("resource.data.zz == 1", .error("Property zz is undefined on object.")), .init("resource.data['zz'] == 1", .error("Property zz")),
        .init("{'a': 1}.b == null", .error("Property b")), .init("null == null", .holds), .init("1 == null", .fails), .init("'' != null", .holds),
        .init("null < 1", .error("Unsupported operation error. Received: null < int.")), .init("'a' in null", .error("Name: [in]")),
        .init("null is string", .fails), .init("null.a == 1", .error("Null value")), .init("1.5.a == 1", .error("Type error. Received: [float]")),
        .init("'a'.b == 1", .error("Expected: [map,path]")), .init("request.auth.token.zz == 1", .error("Property zz")),
        .init("undefined == 1", .error("Null value error.")), .init("True", .error("Null value error.")),
        .init("exists(/databases/$(db)/documents/u/$(null))", .fails), .init("resource == null", .fails), .init("request.resource == null", .error("Property resource")),
    ]

    static let equality: [ConditionRow] = [
        .init("1 == 1.0", .holds), .init("1 != 1.0", .fails), .init("[1] == [1.0]", .fails), .init("1 in [1.0]", .fails), .init("{'a': 1} == {'a': 1.0}", .fails),
        .init("[1] != [1.0]", .holds), .init("[[1], [1.0]].toSet().size() == 1", .holds), .init("1.0 in [1].toSet()", .holds),
        .init("[1].toSet() == [1.0].toSet()", .holds), .init("{'v': [1]}.diff({'v': [1.0]}).affectedKeys().size() == 0", .holds),
        .init("[1, 2].removeAll([1.0]) == [1, 2]", .holds), .init("[1, [2]] == [1, [2]]", .holds), .init("[1, 2] == [2, 1]", .fails),
        .init("[1, 2].toSet() == [2, 1].toSet()", .holds), .init("[1] == [1].toSet()", .fails), .init("{'a': 1, 'b': 2} == {'b': 2, 'a': 1}", .holds),
        .init("{}.diff({}) == {}.diff({})", .fails), .init("0.0 / 0 == 0.0 / 0", .fails), .init("0.0 / 0 != 0.0 / 0", .holds), .init("0.0 == -0.0", .holds),
        .init("9007199254740993 == 9007199254740992.0", .holds), .init("1 == '1'", .fails), .init("1 != '1'", .holds), .init("/a/b == path('a/b')", .holds),
        .init("/a/b == '/a/b'", .fails), .init("latlng.value(1, 2) == latlng.value(1.0, 2.0)", .holds), .init("b'a' == 'a'.toUtf8()", .holds),
        .init("timestamp.value(1000) == timestamp.value('1970-01-01T00:00:01Z')", .holds), .init("duration.value(60, 's') == duration.value(1, 'm')", .holds),
        .init("resource.data.m == {'k': 1}", .holds), .init("resource.data.l == [1, 2]", .holds), .init("resource.data.m == {'k': 1.0}", .fails),
        .init("request == request", .holds), .init("request.auth == request.auth", .holds),
        // Canonically equivalent strings differ.
        .init("'\\u00e4' == 'a\\u0308'", .fails),
    ]

    static let order: [ConditionRow] = [
        .init("1 < 1.5", .holds), .init("2.0 <= 2", .holds), .init("'a' < 'b'", .holds), .init("'B' < 'a'", .holds), .init("b'\\x01' < b'\\x02'", .holds),
        .init("duration.value(1, 's') < duration.value(1, 'm')", .holds), .init("timestamp.value(1) > timestamp.value(0)", .holds),
        .init("9007199254740993 > 9007199254740992.0", .fails), .init("0.0 / 0 < 1", .fails), .init("!(0.0 / 0 >= 1)", .holds),
        .init("true < false", .error("bool < bool")), .init("[1] < [2]", .error("list < list")), .init("/a/b < /a/c", .error("path < path")),
        .init("latlng.value(0, 0) < latlng.value(1, 1)", .error("latlng")), .init("1 < 'a'", .error("Unsupported operation error. Received: int < string.")),
        // By the bytes of UTF-8, as the database orders strings.
        .init("'\\uFFFF' < '\\uD83D\\uDE00'", .holds),
    ]

    static let arithmetic: [ConditionRow] = [
        .init("-7 / 2 == -3", .holds), .init("-7 % 2 == -1", .holds), .init("5 % -3 == 2", .holds), .init("7 / 2.0 == 3.5", .holds), .init("1 + 1.5 == 2.5", .holds),
        .init("1 / 0 == 0", .error("Divide by zero error.")), .init("1 % 0 == 0", .error("Divide by zero error.")), .init("1.0 / 0 > 1", .holds),
        .init("math.isNaN(1.0 % 0)", .holds), .init("9223372036854775807 + 1 < 0", .error("Integer value is out of the [")),
        .init("-9223372036854775808 - 1 < 0", .error("out of the")), .init("9223372036854775807 * 2 > 0", .error("out of the")),
        .init("-(-9223372036854775808) > 0", .error("out of the")), .init("-9223372036854775808 / -1 == -9223372036854775808", .holds),
        .init("-9223372036854775808 % -1 == 0", .holds), .init("'a' + 'b' == 'ab'", .holds), .init("'a' + 1 == 'a1'", .error("string + int")),
        .init("[1] + [2] == [1, 2]", .error("list + list")), .init("b'a' + b'b' == b'ab'", .error("bytes + bytes")), .init("{} + {} == {}", .error("map + map")),
        .init("duration.value(1, 'h') + duration.value(1, 'm') == duration.time(1, 1, 0, 0)", .holds), .init("duration.value(1, 'h') * 2 == duration.value(2, 'h')", .error("duration * int")),
        .init("timestamp.value(0) + duration.value(1, 'd') == timestamp.date(1970, 1, 2)", .holds), .init("duration.value(1, 'd') + timestamp.value(0) == timestamp.date(1970, 1, 2)", .holds),
        .init("timestamp.date(1970, 1, 2) - duration.value(1, 'd') == timestamp.value(0)", .holds), .init("timestamp.date(1970, 1, 2) - timestamp.value(0) == duration.value(24, 'h')", .holds),
        .init("timestamp.date(9999, 12, 31) + duration.value(2, 'd') > timestamp.value(0)", .error("out of range")), .init("-duration.value(1, 's') == duration.value(-1, 's')", .holds),
        .init("-'a' == 'a'", .error("Received: -string. Expected: -int, -float, -duration.")),
    ]

    static let membership: [ConditionRow] = [
        .init("1 in [1, 2]", .holds), .init("3 in [1, 2]", .fails), .init("[1] in [[1]]", .holds), .init("1 in [1].toSet()", .holds), .init("'a' in {'a': 1}", .holds),
        .init("'b' in {'a': 1}", .fails), .init("1 in {'a': 1}", .error("Unsupported operation error")), .init("'a' in 'abc'", .error("Name: [in]")), .init("1 in resource.data.l", .holds),
        .init("1.0 in resource.data.l", .fails), .init("'k' in resource.data.m", .holds), .init("'owner' in resource.data", .holds), .init("'id' in resource", .holds),
    ]

    static let types: [ConditionRow] = [
        .init("true is bool", .holds), .init("b'' is bytes", .holds), .init("duration.value(1, 's') is duration", .holds), .init("1.0 is float", .holds), .init("1 is int", .holds),
        .init("latlng.value(0, 0) is latlng", .holds), .init("[] is list", .holds), .init("{} is map", .holds), .init("1 is number && 1.5 is number", .holds), .init("'' is string", .holds),
        .init("timestamp.value(0) is timestamp", .holds), .init("/a is path", .holds), .init("{}.diff({}) is map_diff", .holds), .init("{}.diff({}) is map", .fails),
        .init("[].toSet() is set", .fails), .init("[].toSet() is list", .fails), .init("request is map && resource is map", .holds), .init("1 is constraint", .fails), .init("1 is float", .fails),
        .init("resource.data.n is int", .holds), .init("resource.data is map", .holds), .init("resource.data.l is vector", .fails), .init("request.path is path", .holds),
    ]

    static let indexes: [ConditionRow] = [
        .init("[1, 2][0] == 1", .holds), .init("[1, 2, 3][3] == 1", .error("Index out of bound error. Index: [3] , size: [3].")), .init("[1, 2][-1] == 1", .error("Index: [-1]")),
        .init("[1][0.0] == 1", .error("Function not found")), .init("'abc'[1] == 'b'", .holds), .init("'😀'[0:2] == '😀'", .holds), .init("'abc'[3] == ''", .error("Index: [3]")),
        .init("{'a': 1}['a'] == 1", .holds), .init("/a/b/c[1] == 'b'", .holds), .init("/a/b/c[0:2] == /a/b", .holds), .init("b'a'[0] == 1", .error("Function not found")),
        .init("[1].toSet()[0] == 1", .error("Function not found")), .init("[1, 2, 3][0:2] == [1, 2]", .holds), .init("[1, 2, 3][1:] == [2, 3]", .holds), .init("[1, 2, 3][:2] == [1, 2]", .holds),
        .init("[1, 2, 3][0:9].size() == 3", .error("size: [3].")), .init("[1, 2, 3][3:3].size() == 0", .error("size: [3].")), .init("[1, 2, 3][2:1].size() == 0", .error("Illegal range error")),
        .init("'hello'[1:3] == 'el'", .holds), .init("resource.data.l[1] == 2", .holds), .init("resource.data.s[0] == 'x'", .holds), .init("b'abc'[0:1] == b'a'", .error("Function not found")),
    ]

    static let maps: [ConditionRow] = [
        .init("{1: 2}.size() == 1", .error("Type error. Received: [int] Expected: [string].")), .init("{'a': 1, 'a': 2}.a == 2", .holds), .init("{'a': 1,}.size() == 1", .holds),
        .init("{'a': 1}.a() == 1", .error("Function not found error: Name: [a].")), .init("{'size': 7}.size == 7", .holds), .init("{'size': 7}.size() == 1", .holds), .init("{x: 1}['1'] == 1", .holds),
        .init("[1, 2,].size() == 2", .holds), .init("'a'.matches('a',)", .holds),
    ]

    @Test(arguments: [logic, precedence, nulls, equality, order, arithmetic, membership, types, indexes, maps].flatMap { $0 })
    func `a condition holds, fails or has no value`(row: ConditionRow) throws {
        try row.check()
    }
}
