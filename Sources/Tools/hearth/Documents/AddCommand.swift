// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreTransfer

/// `hearth add COLLECTION JSON`: adds a document under a generated id.
struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a document to a collection, under a generated id.",
        discussion: """
            Prints the bare id unless --output is given. JSON is the same as for set (`hearth help set`).

            EXIT CODES
              0  added
              2  it could not be written, or the command was not understood

            EXAMPLES
              hearth add --data app.sqlite cities '{"name": "Oakland"}'
              id=$(hearth add cities '{"name": "Oakland"}')
              hearth add visits '{"city": {"$reference": "cities/SF"}}' --output json
              hearth add log '{"text": "started"}' --server-timestamp at
            """)

    @Argument(help: "The collection: cities, or cities/SF/landmarks.", completion: .custom(PathCompletion.collections))
    var collection: String

    @Argument(help: "An object with the fields, or - for standard input.")
    var json: String

    @OptionGroup(title: "Transforms") var transforms: TransformOptions
    @OptionGroup(title: "Database") var place: PlaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
        let command = self
        let collection = try PathCheck.collectionPath(collection)
        try await place.run(.create, environment: CommandEnvironment.current) { open in
            let write = Write(
                key: DocumentKey(collection: collection, id: AutoID.make()),
                operation: .set(try JSONArgument.fields(command.json, in: open.database)), precondition: .exists(false),
                transforms: try command.transforms.transforms(in: open.database))
            let response = try await Commit.make([write], in: open, command: "add")
            if command.output.output == nil || command.output.output == .pretty {
                let output = StandardOutput()
                try output.write(write.key.id + "\n")
                try output.flush()
            } else {
                try Commit.report([write], response, done: "added", in: open, command.output)
            }
        }
    }
}
