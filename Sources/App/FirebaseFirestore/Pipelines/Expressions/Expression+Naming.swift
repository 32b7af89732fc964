// SPDX-License-Identifier: Apache-2.0

extension Expression {
    public func asBoolean() -> any BooleanExpression { BooleanContent(content: ExpressionContent(of: self)) }
    public func `as`(_ name: String) -> AliasedExpression { AliasedExpression(alias: name, content: ExpressionContent(of: self)) }
    public func ascending() -> Ordering { Ordering(expression: self, direction: .ascending) }
    public func descending() -> Ordering { Ordering(expression: self, direction: .descending) }
}
