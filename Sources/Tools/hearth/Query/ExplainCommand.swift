// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore

/// `hearth explain COLLECTION`: shows how a query is answered.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show how a query is answered, and by which indexes.",
        discussion: """
            --analyze runs the query and counts what it reads. The official emulator does not support this command.

            EXIT CODES
              0  done
              2  the database cannot be read, or the command was not understood

            EXAMPLES
              hearth explain --data app.sqlite cities --where 'population > 1000000'
              hearth explain cities --order-by population:desc --limit 10 --analyze
            """)

    @OptionGroup(title: "Query") var query: QueryOptions

    @Flag(help: "Run the query and count what it reads.")
    var analyze = false

    @OptionGroup(title: "Database") var place: PlaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
        let command = self
        try await place.run(.read, environment: CommandEnvironment.current) { open in
            let query = try command.query.query(in: open.database)
            let explanation = try await open.service.explain(
                query.serviceQuery, analyze: command.analyze, options: .latest, context: open.stream)
            let terminal = Terminal(color: command.output.color, environment: CommandEnvironment.current)
            let report = ExplanationReport(explanation)
            let standardOutput = StandardOutput()
            switch command.output.format(on: terminal, usual: .pretty) {
            case .pretty, .table: try standardOutput.write(report.text(Style(isColored: terminal.takesColors)))
            case .json: try standardOutput.write(report.json.text(.indented) + "\n")
            case .jsonl: try standardOutput.write(report.json.text() + "\n")
            }
            try standardOutput.flush()
        }
    }
}
