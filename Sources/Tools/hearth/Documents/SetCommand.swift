// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore

/// `hearth set PATH JSON`: creates or replaces a document, or merges into one.
struct SetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Create or replace a document, or merge fields into it.",
        discussion: """
            JSON is an object with the fields, or - to read it from standard input. Its types are Firestore's: a number with a \
            point or an exponent is a double, any other number an integer. An object with one member stands for a type that JSON lacks:
              {"$timestamp": "2026-11-21T09:30:00Z"}   {"$bytes": "SGVhcnRo"}   {"$double": "NaN"}
              {"$geopoint": {"latitude": 37.8, "longitude": -122.4}}
              {"$reference": "cities/SF"}   {"$vector": [0.5, 1.0]}   {"$map": {"$odd": 1}}

            --merge writes the given fields, maps field by field, and keeps the others. --merge-fields writes the listed fields, \
            each as a whole.

            EXIT CODES
              0  written
              1  a condition (--if-…) does not hold
              2  it could not be written, or the command was not understood

            EXAMPLES
              hearth set --data app.sqlite cities/SF '{"name": "San Francisco"}'
              hearth set cities/SF '{"area": {"land": 121.5}}' --merge
              jq .fields city.json | hearth set --server 127.0.0.1:8080 cities/SF -
            """)

    @Argument(help: "The path of the document: cities/SF.", completion: .custom(PathCompletion.documents))
    var path: String

    @Argument(help: "A JSON object with its fields, or - for standard input.")
    var json: String

    @Flag(help: "Keep the fields that are not given.")
    var merge = false

    @Option(help: ArgumentHelp("Write only these fields, separated by commas.", valueName: "fields"))
    var mergeFields: [String] = []

    @OptionGroup(title: "Transforms") var transforms: TransformOptions

    @Flag(help: "Only if the document does not exist.")
    var ifMissing = false

    @OptionGroup(title: "Conditions") var conditions: PreconditionOptions
    @OptionGroup(title: "Database") var place: PlaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        if merge, !mergeFields.isEmpty { throw ValidationError("--merge and --merge-fields exclude each other") }
        if ifMissing, conditions.ifExists || conditions.ifUpdatedAt != nil {
            throw ValidationError("--if-missing excludes the other conditions")
        }
    }

    func run() async throws {
        let command = self
        let key = try PathCheck.documentKey(path)
        try await place.run(.create, environment: CommandEnvironment.current) { open in
            let write = try command.write(key, in: open.database)
            let response = try await Commit.make([write], in: open, command: "set")
            try Commit.report([write], response, done: "set", in: open, command.output)
        }
    }

    private func write(_ key: DocumentKey, in database: DatabaseID) throws(FirestoreError) -> Write {
        let fields = try JSONArgument.fields(json, in: database)
        let listed = try FieldPathText.list(mergeFields)
        let operation: Write.Operation
        if merge {
            operation = .patch(fields, mask: fields.leafPaths)
        } else if !listed.isEmpty {
            for path in listed where fields.view[path] == nil {
                throw .invalidArgument("the JSON does not contain a field listed in --merge-fields", at: path.canonical)
            }
            operation = .patch(fields, mask: listed)
        } else {
            operation = .set(fields)
        }
        return Write(
            key: key, operation: operation, precondition: ifMissing ? .exists(false) : try conditions.precondition,
            transforms: try transforms.transforms(in: database))
    }
}
