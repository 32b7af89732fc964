// SPDX-License-Identifier: Apache-2.0
import Testing

/// A row of a table of things to try.
struct Attempt: Sendable, CustomTestStringConvertible {
    let name: String
    private let body: @Sendable () throws -> Any

    init<Value>(_ name: String, _ body: @escaping @Sendable () throws -> Value) {
        self.name = name
        self.body = { try body() }
    }

    func run() throws -> Any { try body() }

    /// How it fails, or what came out.
    var summary: String { failureSummary(run) }

    var testDescription: String { name }
}
