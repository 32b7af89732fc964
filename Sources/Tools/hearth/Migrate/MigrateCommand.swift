// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreSchema
import FirestoreTransfer

/// `hearth migrate COLLECTION`: rewrites the documents of a collection.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Rename, convert and fill in fields of all documents of a collection.",
        discussion: """
            Each document is written on the condition that it has not changed since it was read, and only its changed fields are \
            sent; a document that has changed is read again. So programs may go on reading and writing. Passes are \
            repeated until one finds nothing to do, which also finds documents that older programs add meanwhile. A second run finds \
            nothing to do.

            The edits of a document are made in this order: renames, removals, conversions, defaults, version. Edits that would \
            undo or feed one another are refused; make them with two commands. Renames and \
            conversions skip documents without the field. A document with something in the way, such as a field of the new name or a \
            text that is not a number, is reported and left as it is.

            Conversions are integer, double, string, boolean, timestamp (from RFC 3339 text), seconds and milliseconds (numbers \
            since 1970 to timestamps). They lose nothing, or are refused: so is a text such as 007, a number that a double would \
            round, and a time with more digits than microseconds have. Null stays null.

            With --set-version, documents that have this version or a newer one are skipped, and those whose version is not an \
            integer of 0 or more are reported. Use --dry-run first: it counts the \
            documents of each edit and shows five of them, with field names and types; --show-values adds values.

            Reads of Google's service are billed, for each pass; writes of it begin with 500 a second and grow by half every five \
            minutes, unless --rate says otherwise.

            EXIT CODES
              0  all documents are migrated
              1  all but those reported are migrated, or would be; or no documents
              2  the migration has stopped; documents are as before or as after

            EXAMPLES
              hearth migrate --data app.sqlite cities --rename pop=population --dry-run
              hearth migrate cities --default stars=3 --remove draft --set-version 3
              hearth migrate --group reviews --convert price:integer
              hearth migrate cities --remove draft --checkpoint c.json
              hearth migrate cities --remove draft --checkpoint c.json --resume
              hearth migrate cities --remove draft --json | jq .changed
            """)

    @Argument(
        help: "The collection: cities, or cities/SF/landmarks; with --group a collection id.",
        completion: .custom(PathCompletion.collections))
    var collection: String

    @Flag(help: "All collections with this id, at any depth; with a path, those below its document.")
    var group = false

    @Option(help: ArgumentHelp("Rename or move a field. May be repeated, as all edits.", valueName: "field=new"))
    var rename: [String] = []

    @Option(help: ArgumentHelp("Remove fields, separated by commas.", valueName: "fields"))
    var remove: [String] = []

    @Option(help: ArgumentHelp("Convert the values of a field to a type, without loss.", valueName: "field:type"))
    var convert: [String] = []

    @Option(help: ArgumentHelp("Set a field where it is missing, to a value in typed JSON.", valueName: "field=value"))
    var `default`: [String] = []

    @Option(help: ArgumentHelp("Store this version, and skip documents that have it or a newer one.", valueName: "number"))
    var setVersion: Int64?

    @Option(help: ArgumentHelp("With --set-version: the field with the version, if it is not schemaVersion.", valueName: "field"))
    var versionField: String?

    @Flag(help: "Write nothing; count and show what would be done.")
    var dryRun = false

    @Flag(help: "With --dry-run: show values, not only types.")
    var showValues = false

    @Option(
        help: ArgumentHelp("Note in this file how far the migration has come; it is removed at the end.", valueName: "file"),
        completion: .file())
    var checkpoint: String?

    @Option(help: ArgumentHelp("The same in a document of the database.", valueName: "path"))
    var checkpointDocument: String?

    @Flag(help: "Continue where the checkpoint says, or from the start without one.")
    var resume = false

    @Option(help: ArgumentHelp("At most this many writes in a second.", valueName: "number"))
    var rate: Double?

    @Flag(help: "Print the summary as JSON.")
    var json = false

    @Flag(help: "Print errors only, and with --json the summary.")
    var quiet = false

    @OptionGroup(title: "Database") var place: PlaceOptions

    func validate() throws {
        if rename.isEmpty, remove.isEmpty, convert.isEmpty, `default`.isEmpty, setVersion == nil {
            throw ValidationError("nothing to do: give --rename, --remove, --convert, --default or --set-version")
        }
        if showValues, json { throw ValidationError("--show-values and --json exclude each other") }
        if showValues, !dryRun { throw ValidationError("--show-values requires --dry-run") }
        if checkpoint != nil, checkpointDocument != nil {
            throw ValidationError("--checkpoint and --checkpoint-document exclude each other")
        }
        if resume, checkpoint == nil, checkpointDocument == nil { throw ValidationError("--resume requires --checkpoint") }
        if versionField != nil, setVersion == nil { throw ValidationError("--version-field requires --set-version") }
        if let rate, !(rate > 0 && rate <= 1_000_000) { throw ValidationError("--rate must lie between 0 and 1000000") }
        if let setVersion, setVersion < 1 { throw ValidationError("--set-version must be at least 1") }
    }

    func run() async throws {
        let command = self
        // A mistake in an edit is reported before anything is opened; the database matters to references alone.
        _ = try edits(in: DatabaseID(projectID: "edits"))
        let environment = CommandEnvironment.current
        let isCloud = if case .cloud = try Place(place, environment: environment).kind { true } else { false }
        // A migration can be repeated, so commits do not wait for the disk one by one. When the command ends everything is durable.
        try await place.run(dryRun ? .read : .change, durability: .relaxed, environment: environment) { open in
            let bar = ProgressBar(isQuiet: command.quiet)
            let source = try MigrationSource(
                open.service, database: open.database, query: StructuredQuery(scope: try command.scope),
                context: { () throws(FirestoreError) in open.call })
            let edits = try command.edits(in: open.database)
            var options = MigrationRun.Options()
            options.isDryRun = command.dryRun
            options.rate = command.rate.map { .perSecond($0) } ?? (isCloud ? .growing : .unlimited)
            options.retries = open.isRemote ? 6 : 0
            options.resumes = command.resume
            options.checkpoint = try command.checkpointStore(in: open)
            options.onProgress = { read, migrated, pass in
                bar.show { MigrationText.progress(read: read, migrated: migrated, pass: pass, after: $0) }
            }
            let run = MigrationRun(source, MigrationPlan(edits: edits), options)
            // A problem before the first write stays when the command is repeated.
            let checkpoint = try await run.start()
            let outcome: MigrationOutcome
            do {
                outcome = try await run.perform(from: checkpoint)
            } catch {
                bar.finish(nil)
                try command.stopped(error)
            }
            bar.finish(nil)
            try command.report(outcome, edits, in: open, after: bar.elapsed)
        }
    }

    private var scope: QueryScope {
        get throws(FirestoreError) {
            guard group else { return .collection(try PathCheck.collectionPath(collection)) }
            let path = try PathCheck.collectionPath(collection)
            return .collectionGroup(id: path.id, under: path.parent)
        }
    }

    private func edits(in database: DatabaseID) throws(FirestoreError) -> [FieldEdit] {
        var edits: [FieldEdit] = []
        // As given, for messages.
        var arguments: [String] = []
        func add(_ argument: String, _ edit: () throws(FirestoreError) -> FieldEdit) throws(FirestoreError) {
            do throws(FirestoreError) {
                edits.append(try edit())
                try edits[edits.count - 1].validate()
            } catch {
                throw error.inMigrateArgument(argument)
            }
            arguments.append(argument)
        }
        for text in rename {
            try add("--rename \(text)") { () throws(FirestoreError) in
                guard let (path, rest) = try FieldPathText.assignment(text) else { throw .invalidArgument("field=new is expected") }
                let destination = try FieldPathText.parse(String(rest))
                guard path != destination else { throw .invalidArgument("both names are the same") }
                return .move(path, to: destination)
            }
        }
        for text in remove {
            let paths: [FieldPathSegments]
            do throws(FirestoreError) {
                paths = try FieldPathText.list([text])
            } catch {
                throw error.inMigrateArgument("--remove \(text)")
            }
            for path in paths { try add("--remove \(path.canonical)") { () throws(FirestoreError) in .remove(path) } }
        }
        for text in convert {
            try add("--convert \(text)") { () throws(FirestoreError) in
                guard let (path, rest) = try FieldPathText.assignment(text, separator: UInt8(ascii: ":")) else {
                    throw .invalidArgument("field:type is expected")
                }
                guard let conversion = FieldConversion(rawValue: String(rest)) else {
                    let types = FieldConversion.allCases.map(\.rawValue)
                    let advice = NearestName.advice(String(rest), in: types)
                    throw .invalidArgument("the type must be one of \(types.joined(separator: ", "))\(advice)")
                }
                return .convert(path, to: conversion)
            }
        }
        for text in `default` {
            try add("--default \(text)") { () throws(FirestoreError) in
                guard let (path, rest) = try FieldPathText.assignment(text) else { throw .invalidArgument("field=value is expected") }
                do throws(FirestoreError) {
                    return .setDefault(path, try TypedJSON.value(rest.utf8, in: database))
                } catch {
                    throw error.inArgument("value of \(path.canonical)")
                }
            }
        }
        if let setVersion {
            let field = versionField ?? "schemaVersion"
            try add(versionField.map { "--version-field \($0)" } ?? "--set-version \(setVersion)") { () throws(FirestoreError) in
                .setVersion(try FieldPathText.parse(field), setVersion)
            }
        }
        if let conflict = FieldEdit.conflict(in: edits) {
            throw MigrationText.error(conflict, arguments[conflict.first], arguments[conflict.second])
        }
        return edits
    }

    private func checkpointStore(in open: OpenPlace) throws(FirestoreError) -> (any MigrationCheckpointStore)? {
        if let checkpoint { return MigrationCheckpointFile(path: checkpoint) }
        guard let checkpointDocument else { return nil }
        return MigrationCheckpointDocument(try PathCheck.documentKey(checkpointDocument), in: open.service) { () throws(FirestoreError) in
            open.call
        }
    }

    // MARK: Ending

    private func stopped(_ error: any Error) throws -> Never {
        if error is CancellationError || (error as? FirestoreError)?.code == .cancelled {
            StandardError.say("hearth migrate: interrupted; \(advice)")
            throw Outcome.failure
        }
        let text = (error as? FirestoreError).map { CommandMessage.text(of: $0) } ?? "\(error)"
        StandardError.say("hearth migrate: \(text)")
        if !dryRun { StandardError.say("every document is as before or as after; \(advice)") }
        throw Outcome.failure
    }

    private var advice: String {
        checkpoint == nil && checkpointDocument == nil ? "run the command again for the rest" : "run it again with --resume for the rest"
    }

    private func report(_ outcome: MigrationOutcome, _ edits: [FieldEdit], in open: OpenPlace, after elapsed: Duration) throws {
        let output = StandardOutput()
        if json {
            let summary = MigrationText.json(outcome, edits.map(\.title), of: collection, isGroup: group, isDryRun: dryRun)
            try output.write(summary.text(.indented) + "\n")
        } else if !quiet {
            for line in MigrationText.report(outcome, edits.map(\.title), of: collection, isDryRun: dryRun, after: elapsed) {
                try output.write(line + "\n")
            }
            for sample in outcome.samples where dryRun {
                for line in try MigrationText.sample(sample, in: open.database, showsValues: showValues) { try output.write(line + "\n") }
            }
        }
        try output.flush()
        if outcome.read == 0 {
            StandardError.say("hearth migrate: there are no documents in \(collection)")
            throw Outcome.findings
        }
        guard outcome.failureCount > 0 else { return }
        for failure in outcome.failures { StandardError.say("hearth migrate: \(failure.key.path): \(failure.error)") }
        let verb = dryRun ? "could not be migrated" : "not migrated"
        StandardError.say("hearth migrate: \(verb): \(ProgressLine.count(outcome.failureCount))")
        throw Outcome.findings
    }
}

extension FirestoreError {
    /// The option says which argument it is, also of an empty name.
    fileprivate func inMigrateArgument(_ argument: String) -> FirestoreError {
        var copy = self
        if copy.location?.isEmpty == true { copy.location = nil }
        return copy.inArgument(argument)
    }
}
