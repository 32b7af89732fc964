// SPDX-License-Identifier: Apache-2.0
#if Postgres
    /// The text of a statement, with `$1`, `$2`, … for its parameters.
    ///
    /// A connection prepares it at its first use, with the parameter types of that use: pass values of the same cases every time.
    package struct PostgresStatement: Sendable, Hashable {
        package let text: String

        package init(_ text: String) { self.text = text }
    }

    /// A statement and the values of its parameters.
    package struct PostgresCall: Sendable {
        package let statement: PostgresStatement
        package let values: [PostgresValue]

        package init(_ statement: PostgresStatement, _ values: PostgresValue...) { self.init(statement, values: values) }

        package init(_ statement: PostgresStatement, values: [PostgresValue]) { (self.statement, self.values) = (statement, values) }
    }
#endif
