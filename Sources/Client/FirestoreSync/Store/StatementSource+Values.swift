// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

/// A value of a parameter of a statement.
protocol SQLBindable {
    func bind(to row: SQLStatement, at index: Int32)
}

extension Int64: SQLBindable { func bind(to row: SQLStatement, at index: Int32) { row.bind(index, self) } }

extension TargetID: SQLBindable { func bind(to row: SQLStatement, at index: Int32) { row.bind(index, Int64(self)) } }

extension Bool: SQLBindable { func bind(to row: SQLStatement, at index: Int32) { row.bind(index, self ? 1 : 0) } }

extension String: SQLBindable { func bind(to row: SQLStatement, at index: Int32) { row.bind(index, copying: [UInt8](utf8)) } }

extension [UInt8]: SQLBindable { func bind(to row: SQLStatement, at index: Int32) { row.bind(index, copying: self) } }

extension ByteSlice: SQLBindable { func bind(to row: SQLStatement, at index: Int32) { row.bind(index, buffer) } }

extension SyncUser: SQLBindable { func bind(to row: SQLStatement, at index: Int32) { row.bind(index, copying: stored) } }

extension Optional: SQLBindable where Wrapped: SQLBindable {
    func bind(to row: SQLStatement, at index: Int32) { if let self { self.bind(to: row, at: index) } else { row.bindNull(index) } }
}

extension StatementSource {
    /// Runs a statement that returns no rows, with the values of its parameters.
    func run(_ text: String, _ values: any SQLBindable...) throws(FirestoreError) {
        _ = try withRows(text, values) { (row) throws(FirestoreError) in try row.step() }
    }

    /// Reads the first row of the result of a statement; nil without rows.
    func first<R>(
        _ text: String, _ values: any SQLBindable..., read: (SQLStatement) throws(FirestoreError) -> R
    ) throws(FirestoreError) -> R? {
        try withRows(text, values) { (row) throws(FirestoreError) -> R? in try row.step() ? try read(row) : nil }
    }

    /// Reads all rows of the result of a statement.
    func all<R>(
        _ text: String, _ values: any SQLBindable..., read: (SQLStatement) throws(FirestoreError) -> R
    ) throws(FirestoreError) -> [R] {
        try withRows(text, values) { (row) throws(FirestoreError) in
            var result: [R] = []
            while try row.step() { result.append(try read(row)) }
            return result
        }
    }

    /// Whether a statement has a result.
    func exists(_ text: String, _ values: any SQLBindable...) throws(FirestoreError) -> Bool {
        try withRows(text, values) { (row) throws(FirestoreError) in try row.step() }
    }

    private func withRows<R>(
        _ text: String, _ values: [any SQLBindable], _ body: (SQLStatement) throws(FirestoreError) -> R
    ) throws(FirestoreError) -> R {
        let row = try statement(text)
        defer {
            row.reset()
            withExtendedLifetime(values) {}
        }
        for (place, value) in values.enumerated() { value.bind(to: row, at: Int32(place + 1)) }
        return try body(row)
    }
}
