// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreSync
import Foundation

/// `hearth cache usage FILE`: what takes up the space.
struct CacheUsageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "usage",
        abstract: "Print what a cache holds, by collection, and the size of its queue.",
        discussion: """
            Prints documents and bytes by collection, kept query results, pins, and pending and failed calls. Bytes are those \
            of ids and fields; indexes and free pages are not counted. --json lists all collections, the text the 20 largest.

            EXAMPLES
              hearth cache usage _default.sqlite
              hearth cache usage --json _default.sqlite | jq .collections
            """)

    @OptionGroup var cache: CacheFileArgument

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    /// More collections are listed by `--json` only.
    private static let listed = 20

    func run() throws {
        let output = StandardOutput()
        try cache.inspect { inspector in
            let usage = try inspector.usage()
            try output.write(json ? try object(inspector, usage).text(.indented) + "\n" : try text(inspector, usage))
        }
        try output.flush()
    }

    /// The file, with the log beside it.
    private func fileBytes(_ inspector: CacheInspector) -> Int64 {
        ["", "-wal"].reduce(0) { sum, suffix in
            let attributes = try? FileManager.default.attributesOfItem(atPath: inspector.file + suffix)
            return sum + ((attributes?[.size] as? NSNumber)?.int64Value ?? 0)
        }
    }

    private func text(_ inspector: CacheInspector, _ usage: CacheUsage) throws -> String {
        let database = inspector.databaseID
        var lines = [
            "\(cache.file): cache of database \(database.databaseID) of project \(database.projectID) on \(inspector.server)",
            "  version \(inspector.version), last used by \(inspector.user.uid.map { "user \($0)" } ?? "a signed-out user")"
                + (inspector.isFromOtherMachine ? ", made on another machine" : ""),
            "  \(CacheText.bytes(fileBytes(inspector))) on disk, \(CacheText.bytes(usage.bytes)) in "
                + "\(CacheText.count(usage.documents, "document")); \(CacheText.count(usage.missing, "document")) known to be missing",
            "  \(CacheText.count(usage.targets, "query result")) kept, \(usage.pinnedTargets) pinned; "
                + "\(CacheText.count(usage.orphans, "document")) in no kept result",
            "  \(CacheText.count(usage.pending, "pending call")), \(CacheText.bytes(usage.pendingBytes)); "
                + "\(CacheText.count(usage.failed, "failed call")), \(CacheText.bytes(usage.failedBytes))",
        ]
        let rows = usage.collections.prefix(Self.listed).map { collection in
            [
                TableLayout.Cell(collection.path.path, role: .path), TableLayout.Cell("\(collection.documents)", isRight: true),
                TableLayout.Cell(CacheText.bytes(collection.bytes), isRight: true),
            ]
        }
        if !rows.isEmpty {
            let terminal = Terminal(color: .auto, environment: CommandEnvironment.current)
            let style = Style(isColored: terminal.takesColors)
            let layout = TableLayout(titles: ["collection", "documents", "size"], rows: rows, width: terminal.width)
            lines += ["", layout.heading(style)] + rows.map { layout.line($0, style) }
            let more = usage.collections.count - rows.count
            if more > 0 { lines.append("and \(more) more") }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func object(_ inspector: CacheInspector, _ usage: CacheUsage) throws -> JSON {
        let database = inspector.databaseID
        let collections = usage.collections.map { collection in
            JSON.object([
                ("path", .string(collection.path.path)), ("documents", .number(collection.documents)),
                ("bytes", .number(collection.bytes)),
            ])
        }
        return .object([
            ("file", .string(inspector.file)), ("server", .string(inspector.server)), ("project", .string(database.projectID)),
            ("database", .string(database.databaseID)), ("version", .number(inspector.version)),
            ("user", inspector.user.uid.map { .string($0) } ?? .null), ("fromOtherMachine", .boolean(inspector.isFromOtherMachine)),
            ("fileBytes", .number(fileBytes(inspector))), ("documents", .number(usage.documents)), ("bytes", .number(usage.bytes)),
            ("missing", .number(usage.missing)), ("results", .number(usage.targets)), ("pinned", .number(usage.pinnedTargets)),
            ("orphans", .number(usage.orphans)), ("pending", .number(usage.pending)), ("pendingBytes", .number(usage.pendingBytes)),
            ("failed", .number(usage.failed)), ("failedBytes", .number(usage.failedBytes)), ("collections", .array(collections)),
        ])
    }
}
