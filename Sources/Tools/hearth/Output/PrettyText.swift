// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTransfer

/// Documents for reading: a line per field, values in typed JSON, long values on separate lines.
struct PrettyText {
    /// Longer values get separate lines.
    private static let width = 100

    let database: DatabaseID
    let style: Style
    private(set) var text = ""

    init(database: DatabaseID, style: Style) {
        self.database = database
        self.style = style
    }

    mutating func add(_ document: Document, withTimes: Bool) throws(FirestoreError) {
        try add(PrintedRow(document), withTimes: withTimes)
    }

    /// A row that is no document has no path, and its fields begin in the first column.
    mutating func add(_ row: PrintedRow, withTimes: Bool) throws(FirestoreError) {
        if let path = row.path { line(style(.path, path)) }
        if row.path == nil, row.fields.view.isEmpty { line("{}") }
        defer { withExtendedLifetime(row) {} }
        do throws(FirestoreError) {
            try add(row.fields.view, level: row.path == nil ? 0 : 1)
        } catch {
            throw error.located(at: row.place)
        }
        if withTimes, let created = row.createTime {
            var times = "created \(created.timestamp.text)"
            if let updated = row.updateTime, updated != created { times += ", updated \(updated.timestamp.text)" }
            line("  " + style(.faint, times))
        }
    }

    mutating func line(_ text: String) { self.text += text + "\n" }

    private mutating func add(_ fields: FieldsView, level: Int) throws(FirestoreError) {
        for (name, value) in fields {
            let title = PrintedRow.title(of: String(decoding: name, as: UTF8.self))
            try add(value, behind: style(.name, title) + ":", level: level)
        }
    }

    private mutating func add(_ value: ValueView, behind label: String, level: Int) throws(FirestoreError) {
        let blanks = String(repeating: "  ", count: level)
        var writer = TypedJSONWriter(database: database, layout: .spaced)
        try writer.append(value)
        let json = writer.text
        if json.utf8.count <= Self.width || value.vector != nil {
            return line(blanks + label + " " + (Style.role(of: value.kind).map { style($0, json) } ?? json))
        }
        if let fields = value.fields {
            line(blanks + label)
            try add(fields, level: level + 1)
        } else if let elements = value.elements {
            line(blanks + label)
            for element in elements { try add(element, behind: "-", level: level + 1) }
        } else {
            line(blanks + label + " " + (Style.role(of: value.kind).map { style($0, json) } ?? json))
        }
    }
}
