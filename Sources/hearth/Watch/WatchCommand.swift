import ArgumentParser
import FirestoreCore

/// `hearth watch PATH|COLLECTION`: changes as they come.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Follow a document or a query: print what changes, as it changes.",
        discussion: """
            First comes what is there now, every document as an added one, then each change; nothing is missed and nothing \
            told twice. Whoever reads slowly gets several changes of one document as one. A connection that is lost is made \
            again, and the watch goes on where it was.

            A path with an even number of parts is a document, any other a collection, for which the options of a query \
            count. Ends with Ctrl-C, after --count changes, or with --once when what is there has been told.

            EXIT CODES
              0    --count or --once: told
              2    the database cannot be watched, or the command was not understood
              130  Ctrl-C

            EXAMPLES
              hearth watch --server 127.0.0.1:8080 cities/SF
              hearth watch cities --where 'population > 1000000' -o jsonl | jq .change
              hearth watch orders --where 'state == "new"' --count 1
            """)

    @OptionGroup(title: "Query") var query: QueryOptions

    @Option(help: ArgumentHelp("End after so many changes, those of the beginning included.", valueName: "n"))
    var count: Int?

    @Flag(help: "End when what is there has been told.")
    var once = false

    @OptionGroup(title: "Database") var place: PlaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be positive, not \(count)") }
        if output.output == .table { throw ValidationError("a table has to be complete before it is laid out: use pretty, json or jsonl") }
    }

    func run() async throws {
        let command = self
        try await place.run(.read, environment: CommandEnvironment.current) { open in
            let target = try command.target(in: open.database)
            let printer = ChangePrinter(place: open, options: command.output, remaining: command.count)
            let queue = SnapshotQueue(target)
            // `watch … | head -1` ends although nothing changes any more.
            StandardOutput.whenClosed { queue.close() }
            let handle = open.service.watch(target.watched, context: open.stream, sink: queue)
            defer { handle.cancel() }
            var isFirst = true
            while let snapshot = try await queue.next() {
                let goesOn = try printer.print(snapshot, missing: isFirst ? target.document : nil)
                isFirst = false
                if !goesOn || command.once { return }
            }
            try Task.checkCancellation()
        }
    }

    private func target(in database: DatabaseID) throws -> WatchedTarget {
        let segments = query.collection.utf8.split(separator: UInt8(ascii: "/")).count
        guard segments > 0, segments % 2 == 0, !query.group else { return .query(try query.query(in: database)) }
        guard !query.isRestricted else {
            throw ValidationError("\(query.collection) is a document: options of a query need a collection")
        }
        return .document(try PathCheck.documentKey(query.collection))
    }
}
