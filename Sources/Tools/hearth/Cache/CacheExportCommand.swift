// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreSync

/// `hearth cache export FILE`: the queue, so that nothing in it is lost.
struct CacheExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the pending and the failed writes of all users as lines of JSON.",
        discussion: """
            One line per write, in typed JSON (docs/reference/cli.md): path, operation (set, update, delete, verify), fields, mask, \
            transforms and condition; then the state, id and user of its call. Writes with the same id were made by one call.

            A set without transforms and condition is what `hearth import` reads:
              jq -c 'select(.operation == "set") | {path, fields}' queue.jsonl

            EXAMPLES
              hearth cache export _default.sqlite > queue.jsonl
              hearth cache export _default.sqlite | jq -r .path
            """)

    @OptionGroup var cache: CacheFileArgument

    func run() throws {
        let output = StandardOutput()
        try cache.inspect { inspector in
            var lines = QueueJSON(database: inspector.databaseID, cacheID: inspector.cacheID)
            for batch in try inspector.failed() + inspector.pending() { try output.write(try lines.lines(of: batch)) }
        }
        try output.flush()
    }
}
