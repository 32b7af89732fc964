// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore

/// `hearth delete PATH…`: deletes documents, and with `--recursive` everything below them.
struct DeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete documents; with --recursive collections, and everything below.",
        discussion: """
            Deleting a document keeps the collections below it, and deleting a missing document succeeds. Without --recursive all \
            paths are deleted in one commit, or none.

            --recursive also deletes the documents below, including those whose parents are missing, in commits of some hundreds. On \
            a terminal it asks first; elsewhere it needs --yes.

            EXIT CODES
              0  deleted
              1  a condition does not hold, or the question was answered with no
              2  it could not be done, or the command was not understood

            EXAMPLES
              hearth delete --data app.sqlite cities/SF cities/LA
              hearth delete --server 127.0.0.1:8080 cities --recursive --yes
              hearth delete cities/SF --if-updated-at 2026-11-21T09:30:00.123456Z
            """)

    @Argument(help: "Paths of documents; with --recursive also of collections.", completion: .custom(PathCompletion.all))
    var paths: [String]

    @Flag(help: "Also delete everything below.")
    var recursive = false

    @Flag(name: [.customShort("y"), .long], help: "Do not ask.")
    var yes = false

    @OptionGroup(title: "Conditions") var conditions: PreconditionOptions
    @OptionGroup(title: "Database") var place: PlaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        if recursive, conditions.ifExists || conditions.ifUpdatedAt != nil {
            throw ValidationError("--recursive and conditions exclude each other")
        }
        if conditions.ifUpdatedAt != nil, paths.count > 1 { throw ValidationError("--if-updated-at takes exactly one document") }
    }

    func run() async throws {
        if recursive, !yes, !Terminal.canAsk {
            throw FirestoreError(
                .failedPrecondition, "it deletes whole trees, and there is no terminal to ask on; add --yes to delete without being asked",
                at: "--recursive")
        }
        let command = self
        let parts = recursive ? try paths.map(DocumentTree.init) : []
        if !recursive, let path = paths.first(where: { (try? PathCheck.collectionPath($0)) != nil }) {
            throw FirestoreError(
                .invalidArgument, "this is a collection; add --recursive to delete its documents and everything below them", at: path)
        }
        let keys = recursive ? [] : try DocumentPaths.keys(paths)
        let precondition = try conditions.precondition
        try await place.run(.change, environment: CommandEnvironment.current) { open in
            if command.recursive {
                try await command.delete(parts, in: open)
            } else {
                let writes = keys.map { Write(key: $0, operation: .delete, precondition: precondition) }
                let response = try await Commit.make(writes, in: open, command: "delete")
                try Commit.report(writes, response, done: "deleted", in: open, command.output)
            }
        }
    }

    private func delete(_ parts: [DocumentTree], in open: OpenPlace) async throws {
        for part in parts {
            if !yes {
                let count = try await part.count(in: open)
                let what = count == 1 ? "1 document" : "\(count) documents"
                guard Question.ask("Delete \(what), \(part.path) and everything below, in \(open.name)?") else { throw Outcome.findings }
            }
            let count = try await part.delete(in: open)
            let terminal = Terminal(color: output.color, environment: CommandEnvironment.current)
            let standardOutput = StandardOutput()
            switch output.format(on: terminal) {
            case .pretty, .table:
                let style = Style(isColored: terminal.takesColors)
                try standardOutput.write("\(style(.path, part.path)) deleted, \(count == 1 ? "1 document" : "\(count) documents")\n")
            case .json, .jsonl:
                let json = JSON.object([("path", .string(part.path)), ("deleted", .number(count))])
                try standardOutput.write(json.text(output.output == .json ? .indented : .compact) + "\n")
            }
            try standardOutput.flush()
        }
    }
}
