// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreWire

/// `hearth pipeline FILE`: runs a pipeline and prints its rows.
struct PipelineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pipeline",
        abstract: "Run a pipeline, and print its rows.",
        discussion: """
            A pipeline is written in stages, each with arguments in parentheses. The first stage is a source: collection, \
            collection_group, database, documents or literals. In expressions a name is a field, $name a variable, name(…) a \
            function, and /books/b1 a reference; other values are those of JSON. The body of a request to the REST API is \
            accepted, too.

            A pipeline that changes documents (update, delete, insert, upsert) asks first on a terminal; elsewhere it needs --yes. \
            The official emulator does not run pipelines.

            EXIT CODES
              0  done, also if there are no rows
              1  the question was answered with no
              2  the pipeline or the command was not understood, or it could not be run

            EXAMPLES
              hearth pipeline --data app.sqlite big-cities.pipeline
              echo 'collection(/cities) sort(population desc) limit(3)' | hearth pipeline -
              hearth pipeline states.pipeline --output table
              hearth pipeline big-cities.pipeline --explain
            """)

    @Argument(help: "The file with the pipeline, or - for standard input.", completion: .file())
    var file: String

    @Flag(help: "Show how the pipeline is executed, and do not run it.")
    var explain = false

    @Flag(help: "Run the pipeline and show how it was executed, without its rows.")
    var analyze = false

    @Flag(name: [.customShort("y"), .long], help: "Do not ask.")
    var yes = false

    @OptionGroup(title: "Database") var place: PlaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        if explain, analyze { throw ValidationError("--explain and --analyze exclude each other") }
    }

    func run() async throws {
        let command = self
        let file = try PipelineFile(file)
        let changes = file.pipeline.writes && !explain
        if changes, !yes, !Terminal.canAsk {
            throw FirestoreError(
                .failedPrecondition, "it changes documents, and there is no terminal to ask on; add --yes to run it without being asked",
                at: command.file)
        }
        try await place.run(changes ? .change : .read, environment: CommandEnvironment.current) { open in
            if changes, !command.yes {
                let stage = file.pipeline.stages.last?.name ?? ""
                guard Question.ask("Run a pipeline that changes documents (\(stage)) in \(open.name)?") else { throw Outcome.findings }
            }
            if command.explain || command.analyze {
                try await command.showExplanation(of: file, in: open)
            } else {
                try await command.printRows(of: file, in: open)
            }
        }
    }

    private func printRows(of file: PipelineFile, in open: OpenPlace) async throws {
        let standardOutput = StandardOutput()
        // Ids are unique in a collection only.
        let isCollection = file.pipeline.stages.first?.kind == .collection
        let printer = output.printer(for: open, to: standardOutput, paths: !isCollection)
        try await open.forEachPage(of: file.pipeline, at: file.moment) { rows in
            try printer.print(rows.map { PrintedRow($0, in: open.database) })
        }
        try printer.end()
        try standardOutput.flush()
    }

    private func showExplanation(of file: PipelineFile, in open: OpenPlace) async throws {
        let explanation = try await open.service.explain(
            file.pipeline, analyze: analyze, options: PipelineOptions(ReadOptions(file.moment)), context: open.stream)
        let terminal = Terminal(color: output.color, environment: CommandEnvironment.current)
        let standardOutput = StandardOutput()
        switch output.format(on: terminal, usual: .pretty) {
        case .pretty, .table: try standardOutput.write(explanation.text + "\n")
        case .json: try standardOutput.write(explanation.json.text(.indented) + "\n")
        case .jsonl: try standardOutput.write(explanation.json.text() + "\n")
        }
        try standardOutput.flush()
    }
}
