// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreSync

/// `hearth cache drop FILE ID…`: removes writes from the queue.
struct CacheDropCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop",
        abstract: "Remove pending or failed writes from the queue.",
        discussion: """
            IDs are those of `hearth cache queue`, or of receipts. A pending write leaves the documents of the cache and is \
            never sent. If it may have been sent already, so that only the answer is missing, it is dropped with --force only: the \
            server may have applied it, and increments behind it that may have been sent become failed writes. A failed write is \
            forgotten. Either all of them are removed or, if one cannot be, none. It asks first on a terminal; elsewhere it needs \
            --yes.

            EXAMPLES
              hearth cache export _default.sqlite > queue.jsonl
              hearth cache drop _default.sqlite 12 13
              hearth cache drop _default.sqlite --all-failed --yes
            """)

    @OptionGroup var cache: CacheFileArgument

    @Argument(help: "The ids of calls.")
    var ids: [String] = []

    @Flag(help: "All failed writes.")
    var allFailed = false

    @Flag(name: [.customShort("y"), .long], help: "Do not ask.")
    var yes = false

    @Flag(help: "Also drop writes that the server may have received.")
    var force = false

    func validate() throws {
        if ids.isEmpty, !allFailed { throw ValidationError("name the ids of calls, or --all-failed") }
    }

    func run() throws {
        let inspector = try CacheInspector(cache.file)
        let chosen: [InspectedBatch]
        do {
            defer { inspector.close() }
            chosen = try choose(inspector)
        }
        let output = StandardOutput()
        guard !chosen.isEmpty else {
            try output.write("no failed writes\n")
            return try output.flush()
        }
        try ask(chosen)
        let store = try inspector.reopen()
        do {
            // Since they were chosen, the cache was closed.
            try store.drop(
                pending: chosen.filter { !$0.isFailed }.map(\.id), failed: chosen.filter(\.isFailed).map(\.id), isForced: force)
            for batch in chosen {
                try output.write("\(batch.id) dropped, \(CacheText.count(batch.writes.count, "write"))\n")
            }
        } catch {
            try? store.close()
            throw error
        }
        try store.close()
        try output.flush()
    }

    private func choose(_ inspector: CacheInspector) throws -> [InspectedBatch] {
        let (pending, failed) = (try inspector.pending(), try inspector.failed())
        var chosen = allFailed ? failed : []
        for text in ids {
            let id = try number(text, inspector)
            guard let batch = (pending + failed).first(where: { $0.id == id }) else {
                throw FirestoreError(.notFound, "there is no such call in the queue; hearth cache queue lists them", at: text)
            }
            if !chosen.contains(where: { $0.id == id }) { chosen.append(batch) }
        }
        return chosen
    }

    /// A number, or a receipt's id of this cache.
    private func number(_ text: String, _ inspector: CacheInspector) throws -> Int64 {
        let parts = text.split(separator: "-", maxSplits: 1)
        if parts.count == 2, UInt64(parts[0], radix: 16) == inspector.cacheID, let id = Int64(parts[1]) { return id }
        guard parts.count == 1, let id = Int64(text) else {
            throw FirestoreError.invalidArgument(
                parts.count == 2 ? "the receipt is of another cache" : "an id is a number, as hearth cache queue prints it", at: text)
        }
        return id
    }

    private func ask(_ chosen: [InspectedBatch]) throws {
        if yes { return }
        guard Terminal.canAsk else {
            throw FirestoreError(
                .failedPrecondition,
                "writes that are dropped are lost, and there is no terminal to ask on; add --yes to drop them "
                    + "without being asked")
        }
        let writes = chosen.flatMap(\.writes)
        let names = writes.prefix(5).map(\.key.path).joined(separator: ", ") + (writes.count > 5 ? ", …" : "")
        guard Question.ask("Drop \(CacheText.count(writes.count, "write")) (\(names))?") else { throw Outcome.findings }
    }
}
