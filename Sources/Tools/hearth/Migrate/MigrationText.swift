// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSchema
import FirestoreTransfer

/// The texts of `hearth migrate`. Pure: the same outcome gives the same lines.
enum MigrationText {
    /// `12,500 documents read, 1,204 migrated, 8,300/s`
    static func progress(read: Int, migrated: Int, pass: Int, after elapsed: Duration) -> String {
        let seconds = elapsed / .seconds(1)
        let rate = seconds < 0.05 ? "" : ", \(ProgressLine.grouped(Int(Double(read) / seconds)))/s"
        return "\(ProgressLine.count(read)) read, \(ProgressLine.grouped(migrated)) migrated\(rate)" + (pass > 1 ? ", pass \(pass)" : "")
    }

    static func report(
        _ outcome: MigrationOutcome, _ titles: [String], of collection: String, isDryRun: Bool, after elapsed: Duration
    ) -> [String] {
        let verb = isDryRun ? "to migrate" : "migrated"
        var lines = ["\(collection): \(ProgressLine.count(outcome.read)) read, \(ProgressLine.grouped(outcome.migrated)) \(verb)"]
        let width = titles.map(\.count).max() ?? 0
        for (title, count) in zip(titles, outcome.steps) {
            lines.append("  " + title + String(repeating: " ", count: width - title.count) + "  " + ProgressLine.grouped(count))
        }
        if outcome.conflicts > 0 { lines.append("changed meanwhile, and read again: \(ProgressLine.count(outcome.conflicts))") }
        if !isDryRun, outcome.passes > 2 { lines.append("passes: \(outcome.passes)") }
        return lines
    }

    /// The report as JSON, for programs. In a rehearsal `changed` contains the changes that would be made.
    static func json(_ outcome: MigrationOutcome, _ titles: [String], of collection: String, isGroup: Bool, isDryRun: Bool) -> JSON {
        let edits = zip(titles, outcome.steps).map { JSON.object([("edit", .string($0)), ("documents", .number($1))]) }
        let failures = outcome.failures.map { failure in
            JSON.object([("path", .string(failure.key.path)), ("problem", .string("\(failure.error)"))])
        }
        return .object([
            ("version", .number(1)), ("collection", .string(collection)), ("isGroup", .boolean(isGroup)), ("isDryRun", .boolean(isDryRun)),
            ("read", .number(outcome.read)), ("changed", .number(outcome.migrated)), ("skipped", .number(outcome.skipped)),
            ("failed", .number(outcome.failureCount)), ("conflicts", .number(outcome.conflicts)), ("passes", .number(outcome.passes)),
            ("edits", .array(edits)), ("failures", .array(failures)),
        ])
    }

    /// Edits that cannot be made together, and what to do about it.
    static func error(_ conflict: FieldEdit.Conflict, _ first: String, _ second: String) -> FirestoreError {
        if conflict.first == conflict.second {
            return .invalidArgument(
                "one field lies in the other; rename it to a name outside, and with a second command from there", at: first)
        }
        if first == second { return .invalidArgument("it is given twice; leave one out", at: first) }
        return .invalidArgument(
            "they cannot be made together, because both concern \(conflict.field.canonical); run two commands, one after the other",
            at: "\(first) and \(second)")
    }

    /// The changes that would be made to a document: names and types, and values on request.
    static func sample(_ sample: MigrationOutcome.Sample, in database: DatabaseID, showsValues: Bool) throws -> [String] {
        defer { withExtendedLifetime(sample) {} }
        func text(_ view: ValueView) throws -> String {
            guard showsValues else { return view.kind.name }
            return try TypedJSON.text(ValueBytes(canonical: ByteSlice(copying: view.buffer)), in: database, .spaced)
        }
        var lines = [sample.key.path]
        for path in FieldDifference(from: sample.before, to: sample.after).mask {
            if let before = sample.before.view[path] { lines.append("  - \(path.canonical): \(try text(before))") }
            if let after = sample.after.view[path] { lines.append("  + \(path.canonical): \(try text(after))") }
        }
        return lines
    }
}
