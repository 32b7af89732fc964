// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreSync

/// `hearth cache queue FILE`: the writes that the server has not received, and those it has rejected.
struct CacheQueueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "Print the pending and the failed writes of all users.",
        discussion: """
            Calls are listed in the order in which they are sent: id, age, user, failed attempts, last error, and below \
            them their writes. `hearth cache export` writes the same with all values, for programs.

            EXAMPLES
              hearth cache queue _default.sqlite
              hearth cache queue --failed _default.sqlite
            """)

    @Flag(help: "Failed writes only.")
    var failed = false

    @Option(help: "When to use colours; auto: on a terminal, unless NO_COLOR is set.")
    var color: ColorChoice = .auto

    @OptionGroup var cache: CacheFileArgument

    func run() throws {
        let output = StandardOutput()
        let terminal = Terminal(color: color, environment: CommandEnvironment.current)
        try cache.inspect { inspector in
            let text = QueueText(
                database: inspector.databaseID, style: Style(isColored: terminal.takesColors), width: terminal.width ?? 120,
                now: SystemClock().now())
            if !failed {
                let pending = try inspector.pending()
                try output.write(pending.isEmpty ? "no pending writes\n" : "\(CacheText.count(pending.count, "pending call"))\n")
                for batch in pending { try output.write(try text.lines(of: batch)) }
            }
            let rejected = try inspector.failed()
            try output.write(rejected.isEmpty ? "no failed writes\n" : "\(CacheText.count(rejected.count, "failed call"))\n")
            for batch in rejected { try output.write(try text.lines(of: batch)) }
        }
        try output.flush()
    }
}
