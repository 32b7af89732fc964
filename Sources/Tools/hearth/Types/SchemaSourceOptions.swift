// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreSchema
import FirestoreTransfer

/// The documents that `hearth types` and `hearth schema` look at.
struct SchemaSourceOptions: ParsableArguments {
    @Argument(
        help: "The collection: cities, or cities/SF/landmarks; with --group a collection id.",
        completion: .custom(PathCompletion.collections))
    var collection: String

    @Flag(help: "All collections with this id, at any depth; with a path, those below its document.")
    var group = false

    @Option(
        help: ArgumentHelp("Read a file or folder that `hearth import` reads; no database is opened.", valueName: "file|folder"),
        completion: .file())
    var from: String?

    @Option(
        help: ArgumentHelp(
            "With --from: the objects of the file contain only the fields; this one contains the id.", valueName: "name"))
    var idField: String?

    @Flag(help: "Read all documents, also of a server or the cloud.")
    var all = false

    @Option(help: ArgumentHelp("Read at most n documents, the first ones by name. (default: 10000 of servers)", valueName: "n"))
    var limit: Int?

    @Option(
        name: [.customLong("where"), .customShort("w")],
        help: ArgumentHelp("Only documents that meet a condition, as for `hearth query`.", valueName: "condition"))
    var conditions: [String] = []

    @Flag(help: "Look for collections below all documents, also of a server: a request per document.")
    var subcollections = false

    @Flag(help: "Print errors only.")
    var quiet = false

    func validate() throws {
        if all, limit != nil { throw ValidationError("--all and --limit exclude each other") }
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1, not \(limit)") }
        if from != nil, !conditions.isEmpty { throw ValidationError("--where requires a database; --from reads the whole file") }
        if from != nil, all { throw ValidationError("--all requires a database; --from reads the whole file") }
        if from != nil, subcollections { throw ValidationError("--subcollections requires a database; --from tells them anyway") }
        if from == nil, idField != nil { throw ValidationError("--id-field requires --from") }
        if idField != nil, group { throw ValidationError("--id-field names the ids of one collection; omit --group") }
    }

    /// With a file no database is opened.
    func refuse(_ place: PlaceOptions) throws {
        guard from != nil else { return }
        let options: [(name: String, isGiven: Bool)] = [
            ("--data", place.data != nil), ("--server", place.server != nil), ("--cloud", place.cloud != nil),
            ("--credentials", place.credentials != nil), ("--tls", place.tls), ("--trust", place.trust != nil),
            ("--token-file", place.tokenFile != nil), ("--project", place.project != nil), ("--database", place.database != nil),
            ("--timeout", place.timeout != nil),
        ]
        if let given = options.first(where: \.isGiven) {
            throw ValidationError("\(given.name) requires a database; --from opens none")
        }
    }

    /// Reads the documents, then passes the result to `body`. Its errors and exit codes are the command's.
    ///
    /// - Parameter counted: Documents that are counted already; nil: none, and they need not be remembered.
    func read(
        _ place: PlaceOptions, command: String, counted: CountedDocuments? = nil,
        _ body: @escaping @Sendable (SchemaReading.Found) throws -> Void
    ) async throws {
        let environment = CommandEnvironment.current
        let request = SchemaRequest(
            collection: collection, isGroup: group, idField: idField, readsAll: all, limit: limit, conditions: conditions,
            looksBelow: subcollections, isQuiet: quiet, counted: counted)
        if let from {
            try await Interruption.watch {
                let reading = try SchemaReading(request, database: nil)
                try reading.readFile(from, command: command)
                try reading.finish(body)
            }
        } else {
            try await place.run(.read, environment: environment) { open in
                let reading = try SchemaReading(request, database: open.database)
                try await reading.read(open, command: command)
                try reading.finish(body)
            }
        }
    }
}
