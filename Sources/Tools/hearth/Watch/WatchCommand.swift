// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore

/// `hearth watch PATH|COLLECTION`: prints changes as they happen.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Watch a document or a query, and print changes as they happen.",
        discussion: """
            First come the current documents, each as an added one, then every change; no change is missed or printed twice. \
            If the output is read slowly, several changes of a document are combined into one. A lost connection is restored, \
            and the watch continues where it was.

            A path with an even number of parts is a document; any other is a collection, for which the options of a query \
            apply. Ends with Ctrl-C, after --count changes, or with --once after the current documents.

            EXIT CODES
              0    --count or --once: done
              2    the database cannot be watched, or the command was not understood
              130  interrupted by Ctrl-C

            EXAMPLES
              hearth watch --server 127.0.0.1:8080 cities/SF
              hearth watch cities --where 'population > 1000000' -o jsonl | jq .change
              hearth watch orders --where 'state == "new"' --count 1
            """)

    @OptionGroup(title: "Query") var query: QueryOptions

    @Option(help: ArgumentHelp("End after n changes, including those at the beginning.", valueName: "n"))
    var count: Int?

    @Flag(help: "End after the current documents.")
    var once = false

    @OptionGroup(title: "Database") var place: PlaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be positive, not \(count)") }
        if output.output == .table { throw ValidationError("changes cannot be printed as a table; use pretty, json or jsonl") }
    }

    func run() async throws {
        let command = self
        try await place.run(.read, environment: CommandEnvironment.current) { open in
            let target = try command.target(in: open.database)
            let printer = ChangePrinter(place: open, options: command.output, remaining: command.count)
            let queue = SnapshotQueue(target)
            // `watch … | head -1` ends even if nothing changes any more.
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
            throw ValidationError("\(query.collection) is a document; the options of a query require a collection")
        }
        return .document(try PathCheck.documentKey(query.collection))
    }
}
