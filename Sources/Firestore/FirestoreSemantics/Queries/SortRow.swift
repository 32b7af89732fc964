// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A matching document with its sort columns, which are looked up once. The views point into the document's own bytes.
struct SortRow {
    let document: Document
    let prefix: UInt64
    let columns: [ValueView?]
}

extension DocumentOrdering {
    func row(_ document: Document) -> SortRow {
        defer { withExtendedLifetime(document) {} }
        let values = columnValues(document.fields.view)
        return SortRow(document: document, prefix: prefix(of: values.first ?? nil), columns: values)
    }

    func columnValues(_ fields: FieldsView) -> [ValueView?] { columns.map { $0.path.value(in: fields) } }

    /// Ordered like the first column, including its direction.
    func prefix(of first: ValueView?) -> UInt64 {
        let prefix = SortPrefix.of(first)
        return columns.first?.isDescending == true ? ~prefix : prefix
    }

    func precedes(_ left: SortRow, _ right: SortRow) -> Bool {
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        defer { withExtendedLifetime((left, right)) {} }
        for (index, column) in columns.enumerated() {
            let order = Self.compare(left.columns[index], right.columns[index])
            if order != 0 { return column.isDescending ? order > 0 : order < 0 }
        }
        return compareKeys(left.document.key, right.document.key) < 0
    }
}
