// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore

/// `hearth bench`: measures how fast a database answers from here.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure how fast a database reads and writes.",
        discussion: """
            Writes, reads, updates and queries for some seconds each, with several concurrent tasks, each of which waits for its \
            answer before it continues. All documents are in a temporary collection (hearth-bench-…), which is deleted \
            afterwards, also when Ctrl-C ends the run early. A service charges for these reads and writes as for any others.

            EXIT CODES
              0    measured
              2    it could not be done, or the command was not understood
              130  interrupted by Ctrl-C

            EXAMPLES
              hearth bench --data /tmp/bench.sqlite
              hearth bench --server 127.0.0.1:8080 --tasks 64 --seconds 10
              hearth bench --output json | jq '.[] | {operation, perSecond}'
            """)

    @Option(help: ArgumentHelp("How long each kind of operation runs.", valueName: "seconds"))
    var seconds: Double = 3

    @Option(help: ArgumentHelp("The number of concurrent tasks.", valueName: "n"))
    var tasks = 16

    @Option(help: ArgumentHelp("The number of documents to work on.", valueName: "n"))
    var documents = 1_000

    @OptionGroup(title: "Database") var place: PlaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard (0.01...3_600).contains(seconds) else { throw ValidationError("--seconds must lie between 0.01 and 3600") }
        guard (1...1_000).contains(tasks) else { throw ValidationError("--tasks must lie between 1 and 1000") }
        guard (1...1_000_000).contains(documents) else { throw ValidationError("--documents must lie between 1 and 1000000") }
    }

    func run() async throws {
        let command = self
        try await place.run(.create, environment: CommandEnvironment.current) { open in
            let load = BenchLoad(
                place: open, seconds: command.seconds, tasks: command.tasks, documents: command.documents)
            let figures: [BenchFigures]
            do {
                figures = try await load.run()
            } catch {
                let isInterrupted = Task.isCancelled
                if isInterrupted {
                    StandardError.say(
                        "hearth bench: interrupted; deleting the documents in \(load.collection.path). If that is interrupted as well, "
                            + "`hearth delete --recursive \(load.collection.path)` deletes them")
                }
                if await load.clear(), isInterrupted { StandardError.say("hearth bench: nothing is left of it") }
                throw error
            }
            _ = await load.clear()
            try command.print(figures)
        }
    }

    private func print(_ figures: [BenchFigures]) throws {
        let terminal = Terminal(color: output.color, environment: CommandEnvironment.current)
        let standardOutput = StandardOutput()
        switch output.format(on: terminal) {
        case .pretty, .table:
            let style = Style(isColored: terminal.takesColors)
            let rows = figures.map(\.row)
            let layout = TableLayout(titles: BenchFigures.titles, rows: rows, width: terminal.width)
            try standardOutput.write(layout.heading(style) + "\n")
            for row in rows { try standardOutput.write(layout.line(row, style) + "\n") }
        case .json: try standardOutput.write(JSON.array(figures.map(\.json)).text(.indented) + "\n")
        case .jsonl: for figure in figures { try standardOutput.write(figure.json.text() + "\n") }
        }
        try standardOutput.flush()
    }
}
