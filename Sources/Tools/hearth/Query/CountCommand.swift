// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreTransfer

/// `hearth count COLLECTION`: counts the documents of a query, and computes sums and averages of their fields.
struct CountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count",
        abstract: "Count the documents a query finds; sum and average their fields.",
        discussion: """
            The database counts; no documents are transferred. A count alone is printed as a bare number unless --output is given. \
            As in the service, --sum and --average consider only documents that have the field, and so does the count beside \
            them.

            EXIT CODES
              0  done
              2  the database cannot be read, or the command was not understood

            EXAMPLES
              hearth count --data app.sqlite cities
              hearth count cities --where 'population > 1000000'
              hearth count cities --sum population --average population --output json
            """)

    @OptionGroup(title: "Query") var query: QueryOptions

    @Option(help: ArgumentHelp("The sum of the numbers in a field.", valueName: "field"))
    var sum: [String] = []

    @Option(help: ArgumentHelp("The average of the numbers in a field.", valueName: "field"))
    var average: [String] = []

    @OptionGroup(title: "Database") var place: PlaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
        let command = self
        try await place.run(.read, environment: CommandEnvironment.current) { open in
            let query = try command.query.query(in: open.database)
            let (names, aggregations) = try command.aggregations()
            let answer = try await open.service.aggregate(query.serviceQuery, aggregations, options: .latest, context: open.call)
            try command.print(zip(names, answer.values).map { ($0, ValueBytes($1.value)) }, in: open)
        }
    }

    /// The names that replace the aliases, which must follow the rules of field names.
    private func aggregations() throws(FirestoreError) -> (names: [String], [Aggregation]) {
        var names = ["count"]
        var aggregations = [Aggregation(.count(upTo: nil), alias: "a0")]
        for path in try FieldPathText.list(sum) {
            names.append("sum(\(path.canonical))")
            aggregations.append(Aggregation(.sum(path), alias: "a\(aggregations.count)"))
        }
        for path in try FieldPathText.list(average) {
            names.append("average(\(path.canonical))")
            aggregations.append(Aggregation(.average(path), alias: "a\(aggregations.count)"))
        }
        return (names, aggregations)
    }

    private func print(_ values: [(name: String, value: ValueBytes)], in open: OpenPlace) throws {
        let terminal = Terminal(color: output.color, environment: CommandEnvironment.current)
        let style = Style(isColored: terminal.takesColors)
        let standardOutput = StandardOutput()
        func text(_ value: ValueBytes) throws(FirestoreError) -> String { try TypedJSON.text(value, in: open.database, .spaced) }
        switch output.format(on: terminal, usual: values.count == 1 ? .pretty : nil) {
        case .pretty where values.count == 1: try standardOutput.write(try text(values[0].value) + "\n")
        case .pretty, .table:
            var rows: [[TableLayout.Cell]] = []
            for (name, value) in values {
                rows.append([TableLayout.Cell(name, role: .name), TableLayout.Cell(try text(value), isRight: true, role: .number)])
            }
            let layout = TableLayout(titles: ["", ""], rows: rows, width: terminal.width)
            for row in rows { try standardOutput.write(layout.line(row, style) + "\n") }
        case .json, .jsonl:
            var writer = TypedJSONWriter(database: open.database, layout: output.output == .json ? .indented : .compact)
            writer.append(raw: "{")
            for (index, (name, value)) in values.enumerated() {
                if index == 0 { writer.breakLine(level: 1) } else { writer.separate(level: 1) }
                writer.append(name: name)
                try writer.append(value.view, level: 1)
                withExtendedLifetime(value) {}
            }
            writer.endDocument()
            try standardOutput.write(writer.text + "\n")
        }
        try standardOutput.flush()
    }
}
