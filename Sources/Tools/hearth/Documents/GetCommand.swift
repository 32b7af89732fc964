// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore

/// `hearth get PATH…`: documents by their paths.
struct GetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print documents.",
        discussion: """
            All documents are read at one moment. If one is missing the others are printed, and the command ends with 1.

            EXIT CODES
              0  all documents exist
              1  at least one is missing
              2  the database cannot be read, or the command was not understood

            EXAMPLES
              hearth get --data app.sqlite cities/SF
              hearth get --server 127.0.0.1:8080 cities/SF cities/LA --output table
              hearth get cities/SF --output json | jq .fields.population
            """)

    @Argument(help: "The paths of documents: cities/SF.", completion: .custom(PathCompletion.documents))
    var paths: [String]

    @OptionGroup(title: "Database") var place: PlaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
        let keys = try DocumentPaths.keys(paths)
        let output = output
        try await place.run(.read, environment: CommandEnvironment.current) { open in
            let found = try await open.service.documents(keys, context: open.call).documents
            let standardOutput = StandardOutput()
            let severalCollections = keys.contains { $0.collection != keys[0].collection }
            let printer = output.printer(for: open, to: standardOutput, single: keys.count == 1, paths: severalCollections)
            try printer.print(found.compactMap { $0 })
            try printer.end()
            try standardOutput.flush()
            let missing = zip(keys, found).filter { $0.1 == nil }.map(\.0)
            for key in missing { StandardError.say("hearth get: \(key.path): there is no such document") }
            if !missing.isEmpty { throw Outcome.findings }
        }
    }
}
