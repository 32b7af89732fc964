// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTransfer

/// Documents and rows of pipelines, their fields as columns. Rows are laid out in blocks, so that results of any length can be
/// printed; a block with the same layout as the one before continues its table.
final class TablePrinter: DocumentPrinter {
    /// The number of rows that determine columns and widths together.
    private static let block = 500

    private struct State {
        var waiting: [PrintedRow] = []
        var last: TableLayout?
    }

    private let database: DatabaseID
    private let style: Style
    private let width: Int?
    private let output: StandardOutput
    /// Whether the documents come from several collections.
    private let showsPaths: Bool
    private let state = Mutex(State())

    init(database: DatabaseID, style: Style, width: Int?, output: StandardOutput, showsPaths: Bool) {
        self.database = database
        self.style = style
        self.width = width
        self.output = output
        self.showsPaths = showsPaths
    }

    func print(_ rows: [PrintedRow]) throws {
        let text = try state.withLock { state throws(FirestoreError) in
            state.waiting += rows
            return try state.waiting.count >= Self.block ? table(&state) : ""
        }
        try output.write(text)
    }

    func end() throws {
        try output.write(try state.withLock { state throws(FirestoreError) in try table(&state) })
    }

    private func table(_ state: inout State) throws(FirestoreError) -> String {
        let waiting = state.waiting
        guard !waiting.isEmpty else { return "" }
        state.waiting = []
        let columns = Self.columns(of: waiting)
        // Rows of pipelines need not be documents.
        let isNamed = waiting.contains { $0.path != nil }
        var rows: [[TableLayout.Cell]] = []
        for row in waiting { rows.append(try cells(of: row, columns, isNamed: isNamed)) }
        let titles = (isNamed ? [showsPaths ? "path" : "id"] : []) + columns.map(PrintedRow.title)
        var layout = TableLayout(titles: titles, rows: rows, width: width)
        var text = ""
        if let last = state.last, last.titles == layout.titles {
            layout = last
        } else {
            if state.last != nil { text += "\n" }
            text += layout.heading(style) + "\n"
        }
        for row in rows { text += layout.line(row, style) + "\n" }
        state.last = layout
        return text
    }

    /// The fields of all rows, sorted by name.
    private static func columns(of rows: [PrintedRow]) -> [String] {
        var names: Set<ByteSlice> = []
        for row in rows {
            for (name, _) in row.fields.view { names.insert(ByteSlice(copying: name)) }
            withExtendedLifetime(row) {}
        }
        return names.sorted { compareBytes($0.buffer, $1.buffer) < 0 }.map { String(decoding: $0.array, as: UTF8.self) }
    }

    private func cells(of row: PrintedRow, _ columns: [String], isNamed: Bool) throws(FirestoreError) -> [TableLayout.Cell] {
        defer { withExtendedLifetime(row) {} }
        let path = DocumentKey(trusted: row.path ?? "")
        var cells = isNamed ? [TableLayout.Cell(showsPaths ? path.path : path.id, role: .path)] : []
        let fields = row.fields.view
        for column in columns {
            guard let value = fields[utf8: column] else {
                cells.append(TableLayout.Cell(""))
                continue
            }
            do throws(FirestoreError) {
                cells.append(try cell(value))
            } catch {
                throw error.located(at: row.place)
            }
        }
        return cells
    }

    /// Strings as they are, everything else in typed JSON without its marks.
    private func cell(_ value: ValueView) throws(FirestoreError) -> TableLayout.Cell {
        let role = Style.role(of: value.kind)
        switch value.kind {
        case .string: return TableLayout.Cell(value.string ?? "", role: role)
        case .timestamp: if let time = value.timestamp, time.isValid { return TableLayout.Cell(time.text, role: role) }
        case .geoPoint:
            if let point = value.geoPoint { return TableLayout.Cell("\(point.latitude), \(point.longitude)", role: role) }
        case .bytes: if let bytes = value.dataBytes { return TableLayout.Cell("\(bytes.count) bytes", role: role) }
        case .double: if let double = value.double { return TableLayout.Cell("\(double)", isRight: true, role: role) }
        default: break
        }
        var writer = TypedJSONWriter(database: database, layout: .spaced)
        try writer.append(value)
        return TableLayout.Cell(writer.text, isRight: value.kind == .integer, role: role)
    }
}
