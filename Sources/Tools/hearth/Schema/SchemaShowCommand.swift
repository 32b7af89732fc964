// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreSchema

/// `hearth schema show COLLECTION`: the tree of fields as a table or as JSON; with `--against` only the changes.
struct SchemaShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the fields and types of a collection.",
        discussion: """
            EXIT CODES
              0  done; with --against: nothing has changed that could matter
              1  there are no documents; with --against: something has changed
              2  the documents cannot be read, or the command was not understood

            EXAMPLES
              hearth schema show --data app.sqlite cities
              hearth schema show cities --from backup.jsonl --against cities.json
            """)

    @OptionGroup(title: "Documents") var source: SchemaSourceOptions

    @Option(
        help: ArgumentHelp("Print what has changed since this schema, and exit with 1 if something has.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var against: String?

    @Flag(help: "Print JSON; the same as --output json.")
    var json = false

    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Database") var place: PlaceOptions

    func validate() throws { try source.refuse(place) }

    func run() async throws {
        let command = self
        // A file that cannot be read is noticed before documents are. It may be a pipe, which can be read only once.
        let old = try against.map { (file: $0, bytes: try SchemaFiles.bytes(of: $0)) }
        if let old {
            let schema = try SchemaFile(old.bytes, name: old.file)
            try SchemaFiles.check(schema, is: source.collection, isGroup: source.group, file: old.file)
        }
        try await source.read(place, command: "hearth schema") { found in
            guard found.tree.documents > 0 else {
                StandardError.say("hearth schema: there are no documents in \(found.collection)")
                throw Outcome.findings
            }
            if let old {
                let old = try SchemaFile(old.bytes, name: old.file)
                let changes = SchemaChange.between(old.tree, found.tree)
                try SchemaChangePrinter(format: command.format, output: command.output).print(changes)
            } else {
                try command.print(found)
            }
        }
    }

    private var format: OutputFormat { json ? .json : output.output ?? .table }

    private func print(_ found: SchemaReading.Found) throws {
        let standardOutput = StandardOutput()
        switch format {
        case .json, .jsonl:
            let schema = SchemaFile(collection: found.collection, isGroup: found.isGroup, tree: found.tree)
            try standardOutput.write(schema.json.text(format == .json ? .indented : .compact) + "\n")
        case .table, .pretty:
            let terminal = Terminal(color: output.color, environment: CommandEnvironment.current)
            let style = Style(isColored: terminal.takesColors)
            let rows = SchemaRow.all(of: found.tree).map { row in
                [
                    TableLayout.Cell(StoredText.plain(row.path), role: .name), TableLayout.Cell(row.types),
                    TableLayout.Cell(Figures.grouped(row.present), isRight: true, role: .number),
                    TableLayout.Cell(Figures.percentage(row.present, of: row.parents), isRight: true),
                    TableLayout.Cell(row.notes, role: .faint),
                ]
            }
            let titles = ["path", "types", "present", "share", "notes"]
            let layout = TableLayout(titles: titles, rows: rows, width: terminal.width)
            try standardOutput.write(layout.heading(style) + "\n")
            for row in rows { try standardOutput.write(layout.line(row, style) + "\n") }
            for below in found.below.prefix(20) { try standardOutput.write(style(.faint, StoredText.plain(below)) + "\n") }
        }
        try standardOutput.flush()
    }
}
