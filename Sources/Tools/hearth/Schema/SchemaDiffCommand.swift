// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreSchema

/// `hearth schema diff OLD NEW`: the changes between two schemas.
struct SchemaDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Print what has changed between two schemas in files.",
        discussion: """
            Prints a line per change: added (a field is new), gone, widened (a field has other types than before), optional (a \
            field is no longer in every document). A field that was optional and is gone is printed, but does not matter.

            EXIT CODES
              0  nothing has changed that could matter
              1  something has changed
              2  a file cannot be read, or the command was not understood

            EXAMPLES
              hearth schema diff old.json new.json
              hearth schema diff old.json new.json --json | jq '.changes[].path'
            """)

    @Argument(help: "The earlier schema, JSON of `hearth schema`; - is standard input.", completion: .file(extensions: ["json"]))
    var old: String

    @Argument(help: "The later schema.", completion: .file(extensions: ["json"]))
    var new: String

    @Flag(help: "Print JSON; the same as --output json.")
    var json = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        if old == "-", new == "-" { throw ValidationError("only one of the schemas can come from standard input") }
    }

    func run() throws {
        let (before, after) = (try SchemaFiles.read(old), try SchemaFiles.read(new))
        try SchemaFiles.check(after, is: before.collection, isGroup: before.isGroup, file: new)
        let changes = SchemaChange.between(before.tree, after.tree)
        try SchemaChangePrinter(format: json ? .json : output.output ?? .table, output: output).print(changes)
    }
}

/// Prints changes, and fails if one matters.
struct SchemaChangePrinter {
    let format: OutputFormat
    let output: OutputOptions

    func print(_ changes: [SchemaChange]) throws {
        let standardOutput = StandardOutput()
        switch format {
        case .json:
            let object = JSON.object([("version", .number(1)), ("changes", .array(changes.map(\.json)))])
            try standardOutput.write(object.text(.indented) + "\n")
        case .jsonl: for change in changes { try standardOutput.write(change.json.text() + "\n") }
        case .table, .pretty:
            let terminal = Terminal(color: output.color, environment: CommandEnvironment.current)
            let style = Style(isColored: terminal.takesColors)
            let rows = changes.map { change in
                [
                    TableLayout.Cell(change.kind.rawValue, role: change.kind.role),
                    TableLayout.Cell(StoredText.plain(change.path), role: .name),
                    TableLayout.Cell(change.description),
                    TableLayout.Cell(change.examples.map(StoredText.plain).joined(separator: ", "), role: .faint),
                ]
            }
            guard !rows.isEmpty else { break }
            let layout = TableLayout(titles: ["change", "path", "types", "examples"], rows: rows, width: terminal.width)
            try standardOutput.write(layout.heading(style) + "\n")
            for row in rows { try standardOutput.write(layout.line(row, style) + "\n") }
        }
        try standardOutput.flush()
        if changes.contains(where: \.isDrift) { throw Outcome.findings }
    }
}

extension SchemaChange.Kind {
    fileprivate var role: Style.Role {
        switch self {
        case .added: .added
        case .gone: .removed
        case .widened, .optional: .changed
        }
    }
}
