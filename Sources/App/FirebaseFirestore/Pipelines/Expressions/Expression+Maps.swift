// SPDX-License-Identifier: Apache-2.0

extension Expression {
    public func getField(_ key: String) -> FunctionExpression { call("get_field", key) }
    public func getField(_ expression: any Expression) -> FunctionExpression { call("get_field", expression) }
    public func mapGet(_ subfield: String) -> FunctionExpression { call("map_get", subfield) }
    public func mapRemove(_ key: String) -> FunctionExpression { call("map_remove", key) }
    public func mapRemove(_ keyExpression: any Expression) -> FunctionExpression { call("map_remove", keyExpression) }
    public func mapMerge(_ maps: [[String: any Sendable]]) -> FunctionExpression { call("map_merge", arguments: maps) }
    public func mapMerge(_ maps: [any Expression]) -> FunctionExpression { call("map_merge", arguments: maps) }
    public func mapSet(_ key: any Expression, _ value: any Expression, _ moreKeyValues: any Expression...) -> FunctionExpression {
        call("map_set", arguments: [key, value] + moreKeyValues)
    }
    public func mapSet(_ key: String, _ value: any Sendable, _ moreKeyValues: any Sendable...) -> FunctionExpression {
        call("map_set", arguments: [key, value] + moreKeyValues)
    }
    public func mapKeys() -> FunctionExpression { call("map_keys") }
    public func mapValues() -> FunctionExpression { call("map_values") }
    public func mapEntries() -> FunctionExpression { call("map_entries") }
}
