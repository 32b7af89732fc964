// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreServer

/// Prints messages of the admin API: lists as tables, single ones as JSON, unless `--output` says otherwise.
struct AdminOutput {
    private let format: OutputFormat
    private let terminal: Terminal
    private let isChosen: Bool

    init(_ options: OutputOptions) {
        terminal = Terminal(color: options.color, environment: CommandEnvironment.current)
        format = options.format(on: terminal, usual: .table)
        isChosen = options.output != nil
    }

    /// - Parameter cells: The columns of an element.
    func print(_ elements: [JSON], titles: [String], cells: (JSON) -> [String]) throws {
        let output = StandardOutput()
        switch format {
        case .json: try output.write(JSON.array(elements).text(.indented) + "\n")
        case .jsonl: for element in elements { try output.write(element.text() + "\n") }
        case .pretty, .table:
            let style = Style(isColored: terminal.takesColors)
            let rows = elements.map { element in cells(element).map { TableLayout.Cell($0) } }
            let layout = TableLayout(titles: titles, rows: rows, width: terminal.width)
            if !rows.isEmpty { try output.write(layout.heading(style) + "\n") }
            for row in rows { try output.write(layout.line(row, style) + "\n") }
        }
        try output.flush()
    }

    func print(_ message: JSON) throws {
        let output = StandardOutput()
        try output.write(message.text(format == .jsonl && isChosen ? .compact : .indented) + "\n")
        try output.flush()
    }
}

/// Parts of messages, as tables show them.
enum AdminText {
    /// The last segment of a name.
    static func id(_ name: String) -> String { name.split(separator: "/").last.map { String($0) } ?? name }

    /// The collection group in the name of an index or a field.
    static func group(_ name: String) -> String {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count > 5 ? String(parts[5]) : ""
    }

    /// The path in the name of a field, which may contain slashes.
    static func fieldPath(_ name: String) -> String {
        let parts = name.split(separator: "/", maxSplits: 7, omittingEmptySubsequences: false)
        return parts.count > 7 ? String(parts[7]) : ""
    }

    /// `ascending, descending, array, group array`; `none` for an exempt field.
    static func indexes(_ field: JSON) -> String {
        let config = field["indexConfig"]
        let entries = (config?.elements("indexes") ?? []).map { index -> String in
            let entry = index.elements("fields").first ?? .null
            let simple = entry.text("arrayConfig").isEmpty ? entry.text("order").lowercased() : "array"
            let mode = entry["vectorConfig"] == nil ? simple : "vector"
            return (index.text("queryScope") == "COLLECTION_GROUP" ? "group " : "") + mode
        }
        return entries.isEmpty ? "none" : entries.joined(separator: ", ")
    }

    static func expiry(_ field: JSON) -> String {
        guard let config = field["ttlConfig"] else { return "" }
        let offset = config.text("expirationOffset")
        return config.text("state").lowercased() + (offset.isEmpty ? "" : " after \(offset)")
    }
}
