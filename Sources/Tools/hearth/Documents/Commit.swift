// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTransfer

/// One commit of a command, and its report.
enum Commit {
    /// Commits. If a condition does not hold, prints the reason and ends the command with 1.
    static func make(_ writes: [Write], in place: OpenPlace, command: String) async throws -> CommitResponse {
        do throws(FirestoreError) {
            return try await place.service.commit(writes, context: place.call)
        } catch {
            let isConditional = writes.contains { $0.precondition != nil }
            switch error.code {
            case .notFound where isConditional, .alreadyExists where isConditional, .failedPrecondition where isConditional:
                StandardError.say("hearth \(command): \(CommandMessage.text(of: error))")
                throw Outcome.findings
            default: throw error
            }
        }
    }

    /// Reports the result for each document, in the chosen format.
    static func report(
        _ writes: [Write], _ response: CommitResponse, done: String, in place: OpenPlace, _ options: OutputOptions
    ) throws {
        let terminal = Terminal(color: options.color, environment: CommandEnvironment.current)
        let output = StandardOutput()
        let outcomes = zip(writes, response.results).map { WrittenDocument(write: $0, result: $1, commitTime: response.commitTime) }
        switch options.format(on: terminal) {
        case .pretty:
            let style = Style(isColored: terminal.takesColors)
            for outcome in outcomes { try output.write(try outcome.text(done, style, place.database) + "\n") }
        case .json:
            if outcomes.count == 1 {
                try output.write(outcomes[0].json(in: place.database, .indented) + "\n")
            } else {
                let elements = outcomes.map { $0.json(in: place.database, .spaced) }
                try output.write("[\n  " + elements.joined(separator: ",\n  ") + "\n]\n")
            }
        case .jsonl: for outcome in outcomes { try output.write(outcome.json(in: place.database, .compact) + "\n") }
        case .table:
            let rows = outcomes.map { [TableLayout.Cell($0.write.key.path, role: .path), TableLayout.Cell($0.time.timestamp.text)] }
            let layout = TableLayout(titles: ["path", done], rows: rows, width: terminal.width)
            let style = Style(isColored: terminal.takesColors)
            try output.write(([layout.heading(style)] + rows.map { layout.line($0, style) }).joined(separator: "\n") + "\n")
        }
        try output.flush()
    }

    private struct WrittenDocument {
        let write: Write
        let result: WriteResult
        let commitTime: DocumentVersion

        /// The update time of the document, or the commit time for a deleted document.
        var time: DocumentVersion { result.updateTime ?? commitTime }

        /// The results of transforms, without array transforms, whose result is null (WR-29).
        private var transformed: [(path: FieldPathSegments, value: Value)] {
            zip(write.transforms, result.transformResults).compactMap { transform, value in
                switch transform.kind {
                case .appendMissingElements, .removeAllFromArray: nil
                case .serverTimestamp, .increment, .maximum, .minimum: (transform.path, value)
                }
            }
        }

        func text(_ done: String, _ style: Style, _ database: DatabaseID) throws(FirestoreError) -> String {
            var text = "\(style(.path, write.key.path)) \(done) " + style(.faint, time.timestamp.text)
            for (path, value) in transformed {
                text += "\n  \(style(.name, path.canonical)): \(try TypedJSON.text(ValueBytes(value), in: database, .spaced))"
            }
            return text
        }

        func json(in database: DatabaseID, _ layout: TypedJSONWriter.Layout) -> String {
            var writer = TypedJSONWriter(database: database, layout: layout)
            writer.beginDocument(write.key)
            writer.append(member: result.updateTime == nil ? "commitTime" : "updateTime", string: time.timestamp.text)
            if !transformed.isEmpty {
                writer.separate(level: 1)
                writer.append(name: "transformed")
                // Keys are field paths: the values of two paths must not be merged into one map.
                let fields = FieldMap(transformed.map { ($0.path.canonical, $0.value) })
                try? writer.append(FieldBytes(fields), level: 1)
            }
            writer.endDocument()
            return writer.text
        }
    }
}
