// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTransfer

/// Writes documents and rows to standard output as they arrive, in one of the formats.
protocol DocumentPrinter: Sendable {
    func print(_ rows: [PrintedRow]) throws
    /// Writes the end, after the last row.
    func end() throws
}

extension DocumentPrinter {
    func print(_ documents: [Document]) throws { try print(documents.map(PrintedRow.init)) }
}

extension OutputOptions {
    /// `single`: one document was requested, which JSON prints by itself and not in an array.
    func printer(for place: OpenPlace, to output: StandardOutput, single: Bool = false, paths: Bool = false) -> any DocumentPrinter {
        let terminal = Terminal(color: color, environment: CommandEnvironment.current)
        let style = Style(isColored: terminal.takesColors)
        switch format(on: terminal) {
        case .pretty: return PrettyPrinter(database: place.database, style: style, output: output, withTimes: single)
        case .json: return JSONPrinter(database: place.database, output: output, isArray: !single)
        case .jsonl: return JSONLinesPrinter(database: place.database, output: output)
        case .table:
            return TablePrinter(database: place.database, style: style, width: terminal.width, output: output, showsPaths: paths)
        }
    }
}

/// A line of typed JSON per document, the format that `hearth import` reads.
struct JSONLinesPrinter: DocumentPrinter {
    let database: DatabaseID
    let output: StandardOutput

    func print(_ rows: [PrintedRow]) throws {
        var writer = TypedJSONWriter(database: database)
        for row in rows {
            try writer.append(row)
            writer.append(raw: "\n")
        }
        try output.write(writer.bytes)
    }

    func end() throws {}
}

/// One text of indented typed JSON.
final class JSONPrinter: DocumentPrinter {
    private let database: DatabaseID
    private let output: StandardOutput
    private let isArray: Bool
    private let isFirst = Mutex(true)

    init(database: DatabaseID, output: StandardOutput, isArray: Bool) {
        self.database = database
        self.output = output
        self.isArray = isArray
    }

    func print(_ rows: [PrintedRow]) throws {
        var writer = TypedJSONWriter(database: database, layout: .indented)
        let level = isArray ? 1 : 0
        for row in rows {
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if isArray {
                writer.append(raw: isFirst ? "[" : ",")
                writer.breakLine(level: level)
            }
            try writer.append(row, level: level)
        }
        try output.write(writer.bytes)
    }

    func end() throws {
        let isEmpty = isFirst.withLock { $0 }
        if isArray { try output.write(isEmpty ? "[]\n" : "\n]\n") } else if !isEmpty { try output.write("\n") }
    }
}

/// For reading, with an empty line between two documents.
final class PrettyPrinter: DocumentPrinter {
    private let database: DatabaseID
    private let style: Style
    private let output: StandardOutput
    private let withTimes: Bool
    private let isFirst = Mutex(true)

    init(database: DatabaseID, style: Style, output: StandardOutput, withTimes: Bool) {
        self.database = database
        self.style = style
        self.output = output
        self.withTimes = withTimes
    }

    func print(_ rows: [PrintedRow]) throws {
        var pretty = PrettyText(database: database, style: style)
        for row in rows {
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if !isFirst { pretty.line("") }
            try pretty.add(row, withTimes: withTimes)
        }
        try output.write(pretty.text)
    }

    func end() throws {}
}
