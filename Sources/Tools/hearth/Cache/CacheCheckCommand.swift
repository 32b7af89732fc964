// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreSync

/// `hearth cache check FILE`: verifies a cache.
struct CacheCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Verify a cache.",
        discussion: """
            Reads the whole file and changes nothing: SQLite's own check, the canonical form of documents, every index \
            entry, and the local view against the state of the server with the pending writes over it.

            A damaged cache can be deleted: the server has the documents. Save the queue first, with `hearth cache export`.

            EXIT CODES
              0  the cache is sound
              1  there are findings
              2  the file cannot be opened, or the command was not understood

            EXAMPLES
              hearth cache check _default.sqlite
              hearth cache check _default.sqlite || echo damaged
            """)

    @OptionGroup var cache: CacheFileArgument

    func run() throws {
        let output = StandardOutput()
        let findings = try cache.inspect { try $0.check() }
        var lines = [findings.isEmpty ? "sound" : CacheText.count(findings.count, "finding")]
        lines += findings.map { "  " + $0 }
        if !findings.isEmpty {
            lines.append("The server has the documents: save the queue with hearth cache export, then delete the file.")
        }
        try output.write(lines.joined(separator: "\n") + "\n")
        try output.flush()
        if !findings.isEmpty { throw Outcome.findings }
    }
}
