// SPDX-License-Identifier: Apache-2.0

extension Expression {
    public func split(delimiter: String) -> FunctionExpression { call("split", delimiter) }
    public func split(delimiter: any Expression) -> FunctionExpression { call("split", delimiter) }
    public func length() -> FunctionExpression { call("length") }
    public func charLength() -> FunctionExpression { call("char_length") }
    public func byteLength() -> FunctionExpression { call("byte_length") }
    public func like(_ pattern: String) -> any BooleanExpression { test("like", pattern) }
    public func like(_ pattern: any Expression) -> any BooleanExpression { test("like", pattern) }
    public func regexContains(_ pattern: String) -> any BooleanExpression { test("regex_contains", pattern) }
    public func regexContains(_ pattern: any Expression) -> any BooleanExpression { test("regex_contains", pattern) }
    public func regexMatch(_ pattern: String) -> any BooleanExpression { test("regex_match", pattern) }
    public func regexMatch(_ pattern: any Expression) -> any BooleanExpression { test("regex_match", pattern) }
    public func stringContains(_ substring: String) -> any BooleanExpression { test("string_contains", substring) }
    public func stringContains(_ expression: any Expression) -> any BooleanExpression { test("string_contains", expression) }
    public func startsWith(_ prefix: String) -> any BooleanExpression { test("starts_with", prefix) }
    public func startsWith(_ prefix: any Expression) -> any BooleanExpression { test("starts_with", prefix) }
    public func endsWith(_ suffix: String) -> any BooleanExpression { test("ends_with", suffix) }
    public func endsWith(_ suffix: any Expression) -> any BooleanExpression { test("ends_with", suffix) }
    public func regexFind(_ pattern: String) -> FunctionExpression { call("regex_find", pattern) }
    public func regexFind(_ pattern: any Expression) -> FunctionExpression { call("regex_find", pattern) }
    public func regexFindAll(_ pattern: String) -> FunctionExpression { call("regex_find_all", pattern) }
    public func regexFindAll(_ pattern: any Expression) -> FunctionExpression { call("regex_find_all", pattern) }
    public func toLower() -> FunctionExpression { call("to_lower") }
    public func toUpper() -> FunctionExpression { call("to_upper") }
    public func trim() -> FunctionExpression { call("trim") }
    public func trim(_ value: String) -> FunctionExpression { call("trim", value) }
    public func trim(_ value: any Expression) -> FunctionExpression { call("trim", value) }
    public func ltrim() -> FunctionExpression { call("ltrim") }
    public func ltrim(_ characters: String) -> FunctionExpression { call("ltrim", characters) }
    public func ltrim(_ characters: any Expression) -> FunctionExpression { call("ltrim", characters) }
    public func rtrim() -> FunctionExpression { call("rtrim") }
    public func rtrim(_ characters: String) -> FunctionExpression { call("rtrim", characters) }
    public func rtrim(_ characters: any Expression) -> FunctionExpression { call("rtrim", characters) }
    public func stringRepeat(_ count: Int) -> FunctionExpression { call("string_repeat", count) }
    public func stringRepeat(_ count: any Expression) -> FunctionExpression { call("string_repeat", count) }
    public func stringReplaceAll(_ oldValue: String, with newValue: String) -> FunctionExpression {
        call("string_replace_all", oldValue, newValue)
    }
    public func stringReplaceAll(_ oldValue: any Expression, with newValue: any Expression) -> FunctionExpression {
        call("string_replace_all", oldValue, newValue)
    }
    public func stringReplaceOne(_ oldValue: String, with newValue: String) -> FunctionExpression {
        call("string_replace_one", oldValue, newValue)
    }
    public func stringReplaceOne(_ oldValue: any Expression, with newValue: any Expression) -> FunctionExpression {
        call("string_replace_one", oldValue, newValue)
    }
    public func stringIndexOf(_ substring: String) -> FunctionExpression { call("string_index_of", substring) }
    public func stringIndexOf(_ substring: any Expression) -> FunctionExpression { call("string_index_of", substring) }
    public func stringConcat(_ strings: [any Expression]) -> FunctionExpression { call("string_concat", arguments: strings) }
    public func stringConcat(_ strings: [any Sendable]) -> FunctionExpression { call("string_concat", arguments: strings) }
    public func concat(_ values: [any Sendable]) -> FunctionExpression { call("concat", arguments: values) }
    public func reverse() -> FunctionExpression { call("reverse") }
    public func stringReverse() -> FunctionExpression { call("string_reverse") }
    public func substring(position: Int, length: Int? = nil) -> FunctionExpression {
        call("substring", arguments: length.map { [position, $0] } ?? [position])
    }
    public func substring(position: any Expression, length: (any Expression)? = nil) -> FunctionExpression {
        call("substring", arguments: length.map { [position, $0] } ?? [position])
    }
}
