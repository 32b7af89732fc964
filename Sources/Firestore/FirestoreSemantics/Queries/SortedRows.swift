// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Sorts documents within a memory limit: complete documents while they are few, then only their keys and sorted
/// columns, and of these only the first ones if there are too many.
struct SortedRows {
    private let ordering: DocumentOrdering
    /// The number of rows that are needed; nil for all.
    private let wanted: Int?
    private let limits: PageLimits
    private var rows: [SortRow] = []
    private var bytes = 0
    private(set) var areKeysOnly = false
    /// Whether no needed row was dropped.
    private(set) var isWhole = true
    /// Rows after this one are not needed.
    private var last: SortRow?

    init(ordering: DocumentOrdering, wanted: Int?, limits: PageLimits) {
        self.ordering = ordering
        self.wanted = wanted
        self.limits = limits
    }

    mutating func offer(_ scanned: borrowing ScannedDocument) {
        if wanted == 0 { return }
        if let last {
            let first = ordering.columns.first?.path.value(in: scanned.view)
            // The first column of most candidates sorts after the last row already.
            if ordering.prefix(of: first) > last.prefix { return }
        }
        let row = areKeysOnly ? ordering.slimRow(scanned) : ordering.row(scanned.document())
        if let last, ordering.precedes(last, row) { return }
        rows.append(row)
        bytes += Self.size(of: row)
        if let wanted, rows.count >= 2 * max(wanted, 512) { keep(wanted) }
        if !areKeysOnly, bytes > limits.sortedDocuments {
            if let wanted, rows.count > wanted { keep(wanted) }
            // Unless the result has just become small enough.
            if bytes > limits.sortedDocuments / 2 { slim() }
        }
        if areKeysOnly, bytes > limits.sortedKeys, rows.count > 1 {
            keep(rows.count / 2)
            isWhole = false
        }
    }

    /// The rows in order. If `areKeysOnly`, their documents have only the sorted fields.
    func sorted() -> (rows: [SortRow], areKeysOnly: Bool, isWhole: Bool) {
        (rows.sorted(by: ordering.precedes), areKeysOnly, isWhole)
    }

    private static func size(of row: SortRow) -> Int {
        row.document.fields.bytes.count + row.document.key.path.utf8.count + 96 + 16 * row.columns.count
    }

    private mutating func keep(_ count: Int) {
        guard count < rows.count else { return }
        rows.sort(by: ordering.precedes)
        rows.removeSubrange(count...)
        last = rows.last
        bytes = rows.reduce(0) { $0 + Self.size(of: $1) }
    }

    private mutating func slim() {
        areKeysOnly = true
        rows = rows.map { row in ordering.slimRow(row.document) }
        last = last.map { ordering.slimRow($0.document) }
        bytes = rows.reduce(0) { $0 + Self.size(of: $1) }
    }
}

extension DocumentOrdering {
    /// A row that retains only its key and its sorted columns. Its document must not be returned.
    func slimRow(_ scanned: borrowing ScannedDocument) -> SortRow {
        slimRow(
            key: scanned.key, createTime: scanned.createTime, updateTime: scanned.updateTime, columnValues(scanned.view))
    }

    func slimRow(_ document: Document) -> SortRow {
        defer { withExtendedLifetime(document) {} }
        return slimRow(
            key: document.key, createTime: document.createTime, updateTime: document.updateTime,
            columnValues(document.fields.view))
    }

    private func slimRow(
        key: DocumentKey, createTime: DocumentVersion, updateTime: DocumentVersion, _ values: [ValueView?]
    ) -> SortRow {
        var bytes: [UInt8] = []
        for value in values { if let value { bytes.append(contentsOf: value.buffer) } }
        let copy = ByteSlice(bytes)
        var start = 0
        let columns = values.map { value in
            value.map { value in
                defer { start += value.buffer.count }
                return ValueView(UnsafeRawBufferPointer(rebasing: copy.buffer[start..<start + value.buffer.count]))
            }
        }
        let document = Document(key: key, createTime: createTime, updateTime: updateTime, fields: FieldBytes(canonical: copy))
        return SortRow(document: document, prefix: prefix(of: columns.first ?? nil), columns: columns)
    }
}
