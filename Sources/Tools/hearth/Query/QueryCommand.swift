// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore

/// `hearth query COLLECTION`: prints the documents of a query.
struct QueryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Print the documents a query finds.",
        discussion: """
            Results may have any length: they are held in memory one page at a time, except with --limit-to-last.

            A condition is a field, a comparison and a value in typed JSON (`hearth help set`): ==, !=, <, <=, >, >=, in, \
            not-in, array-contains, array-contains-any. Combine conditions with and, or and parentheses. The field __name__ \
            is the document's id.

            EXIT CODES
              0  done, also if nothing was found
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
