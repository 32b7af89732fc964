import ArgumentParser
import FirestoreCore

/// `hearth query COLLECTION`: documents that a query finds.
struct QueryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Print the documents a query finds.",
        discussion: """
            Results of any length pass through: no more than a piece of them is in memory, but for --limit-to-last.

            A condition is a field, a comparison and a value in typed JSON (`hearth help set`): ==, !=, <, <=, >, >=, in, \
            not-in, array-contains, array-contains-any. and, or and parentheses put conditions together. The field \
            __name__ is the document's id.

            EXIT CODES
              0  done, whether something was found or not
              2  the database cannot be read, or the command was not understood

            EXAMPLES
              hearth query --data app.sqlite cities --order-by population:desc --limit 3
              hearth query cities --where 'state == "CA" or capital == true' -o table
              hearth query landmarks --group --select name --output jsonl | wc -l
              hearth query cities --order-by name --start-after '"Oslo"' --limit 20
            """)

    @OptionGroup(title: "Query") var query: QueryOptions
    @OptionGroup(title: "Database") var place: PlaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
        let (options, output) = (query, output)
        try await place.run(.read, environment: CommandEnvironment.current) { open in
            let query = try options.query(in: open.database)
            let standardOutput = StandardOutput()
            let printer = output.printer(for: open, to: standardOutput, paths: options.group)
            try await open.forEachPage(of: query) { try printer.print($0) }
            try printer.end()
            try standardOutput.flush()
        }
    }
}
