// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore

/// `hearth collections [DOCUMENT]`: lists the collections of a database or a document.
struct CollectionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "collections",
        abstract: "List the collections of a database, or of a document.",
        discussion: """
            A collection exists as long as it contains a document, directly or at any depth below. Prints bare ids unless \
            --output is given.

            EXIT CODES
              0  done, also if there are none
              2  the database cannot be read, or the command was not understood

            EXAMPLES
              hearth collections --data app.sqlite
              hearth collections cities/SF
              for c in $(hearth collections); do echo "$c: $(hearth count "$c")"; done
            """)

    private static let page = 300

    @Argument(help: "The path of a document; omit it for the root.", completion: .custom(PathCompletion.documents))
    var document: String?

    @OptionGroup(title: "Database") var place: PlaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
        let parent = try document.map { (path) throws(FirestoreError) in try PathCheck.documentKey(path) }
        let output = output
        try await place.run(.read, environment: CommandEnvironment.current) { open in
            let terminal = Terminal(color: output.color, environment: CommandEnvironment.current)
            let style = Style(isColored: terminal.takesColors)
            let standardOutput = StandardOutput()
            let format = output.format(on: terminal, usual: .pretty)
            var all: [String] = []
            var last: String?
            repeat {
                let ids = try await open.service.collectionIDs(
                    under: parent, after: last, limit: Self.page, options: .latest, context: open.call
                ).ids
                all += ids
                last = ids.count < Self.page ? nil : ids.last
                try Task.checkCancellation()
            } while last != nil
            let paths = all.map { CollectionPath(parent: parent, id: $0) }
            switch format {
            case .pretty: for path in paths { try standardOutput.write(style(.path, path.id) + "\n") }
            case .table:
                let rows = paths.map { [TableLayout.Cell($0.id, role: .path), TableLayout.Cell($0.path)] }
                let layout = TableLayout(titles: ["id", "path"], rows: rows, width: terminal.width)
                try standardOutput.write(layout.heading(style) + "\n")
                for row in rows { try standardOutput.write(layout.line(row, style) + "\n") }
            case .json, .jsonl:
                let objects = paths.map { JSON.object([("id", .string($0.id)), ("path", .string($0.path))]) }
                if format == .json {
                    try standardOutput.write(JSON.array(objects).text(.indented) + "\n")
                } else {
                    for object in objects { try standardOutput.write(object.text() + "\n") }
                }
            }
            try standardOutput.flush()
        }
    }
}
