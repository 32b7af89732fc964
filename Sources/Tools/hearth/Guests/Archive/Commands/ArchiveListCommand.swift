// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreArchive
import FirestoreCore

/// `hearth archive list ARCHIVE`: which moments can be restored.
struct ArchiveListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the databases of an archive, and the moments that can be restored.",
        discussion: """
            EXIT CODES
              0  done
              2  the archive, or a part of it, cannot be read, or it has no such database

            EXAMPLES
              hearth archive list /backup
              hearth archive list s3://bucket/prefix --project app
            """)

    @Argument(help: "A folder, or a bucket as in s3://bucket/prefix.", completion: .directory)
    var archive: String

    @OptionGroup var databases: ArchivedDatabaseOptions
    @OptionGroup var access: ArchiveAccessOptions

    func run() async throws {
        try await Self.list(try await access.openExisting(archive, CommandEnvironment.current), databases, command: "archive list")
    }

    static func list(_ store: any ArchiveStore, _ databases: ArchivedDatabaseOptions, command: String) async throws {
        var each = EachOfArchive(command: command)
        for database in try await databases.databases(in: store) {
            let name = ArchivedDatabaseOptions.name(database)
            try await each.run(name) {
                let catalog = try await ArchiveCatalog.load(ArchiveLayout(database), from: store)
                print(name)
                for line in lines(of: catalog) { print("  " + line) }
            }
        }
        for set in try await databases.fileSets(in: store) {
            try await each.run(set.description) {
                let catalog = try await FileSetCatalog.load(set, from: store)
                print(set.description + "\n  " + line(of: catalog))
            }
        }
        try each.end("not everything is listed")
    }

    private static func line(of catalog: FileSetCatalog) -> String {
        guard let first = catalog.copies.first, let last = catalog.copies.last else { return "no complete copy yet" }
        return catalog.copies.count == 1
            ? "copy of \(last.time.timestamp.text)"
            : "\(catalog.copies.count) copies, from \(first.time.timestamp.text) to \(last.time.timestamp.text)"
    }

    private static func lines(of catalog: ArchiveCatalog) -> [String] {
        if catalog.spans.isEmpty { return ["no complete copy yet"] }
        let copies = catalog.spans.map { span in
            span.end > span.base.time
                ? "copy of \(span.base.time.timestamp.text), every commit until \(span.end.timestamp.text)"
                : "copy of \(span.base.time.timestamp.text)"
        }
        let deletion = catalog.deletion.map { ["deleted at \($0.time)"] } ?? []
        let gap = catalog.newestGap.map { ["incomplete: \($0.description)"] } ?? []
        return deletion + copies + gap + catalog.kept.map { "backup \($0.id) of \(text($0.created)), until \(text($0.until))" }
    }

    private static func text(_ microseconds: Int64) -> String { DocumentVersion(microseconds: microseconds).timestamp.text }
}
