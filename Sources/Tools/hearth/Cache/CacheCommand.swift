// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreSync

/// `hearth cache`: what the offline cache of an app holds, and the writes that wait in it.
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Look into the offline cache of an app: documents, queued writes, failed writes.",
        discussion: """
            A cache is the file in which a client of a server keeps documents and the writes that the server has not \
            received yet. By default it is in ~/.local/share/hearth/cache, by app, server, project and database.

            The commands work on the file itself, for all users of the app, and never connect to the server. No app may \
            have the cache open meanwhile: the commands need the file for themselves. Only `drop` changes the file.

            EXIT CODES
              0  done; `check`: the cache is sound
              1  `check`: there are findings; `drop`: the question was answered with no
              2  it could not be done, or the command was not understood

            EXAMPLES
              hearth cache usage _default.sqlite
              hearth cache queue _default.sqlite
              hearth cache export _default.sqlite > queue.jsonl
            """,
        subcommands: [
            CacheUsageCommand.self, CacheQueueCommand.self, CacheCheckCommand.self, CacheExportCommand.self, CacheDropCommand.self,
        ])
}

/// The file of a cache, as an argument.
struct CacheFileArgument: ParsableArguments {
    @Argument(help: "The file of the cache.", completion: .file())
    var file: String

    /// Opens the file, and closes it when `body` returns.
    func inspect<R>(_ body: (CacheInspector) throws -> R) throws -> R {
        let inspector = try CacheInspector(file)
        defer { inspector.close() }
        return try body(inspector)
    }
}

/// Words for numbers and sizes.
enum CacheText {
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// In the largest unit of which there is at least one.
    static func bytes(_ bytes: Int64) -> String {
        let units = ["KiB", "MiB", "GiB", "TiB"]
        guard bytes >= 1_024 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        var size = Double(bytes) / 1_024
        var unit = 0
        while size >= 1_023.95, unit < units.count - 1 {
            size /= 1_024
            unit += 1
        }
        let tenths = Int((size * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    /// The time since a moment, in its largest unit.
    static func age(from start: Int64, to now: Int64) -> String {
        let seconds = max(0, now - start) / 1_000_000
        let units: [(name: String, seconds: Int64)] = [("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)]
        for (name, length) in units where seconds >= length { return count(Int(seconds / length), name) }
        return "0 seconds"
    }

    static func user(_ user: SyncUser) -> String { user.uid.map { "user \($0)" } ?? "signed out" }

    /// The form in which apps store the id of a receipt.
    static func receipt(_ id: Int64, of cache: UInt64) -> String { "\(String(cache, radix: 16))-\(id)" }
}
