// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreTransfer
import Foundation

extension CSVDelimiter: ExpressibleByArgument {
    public init?(argument: String) { self.init(text: argument) }
}

/// `hearth import FILE`: imports documents into a database.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import the documents of a file or folder into a database.",
        discussion: """
            Reads one of these formats, told apart by the name and the content of FILE:

              jsonl     one document per line; FILE may be - for standard input:
                        {"path": "cities/SF", "fields": {"name": "San Francisco"}}
              json      an array of such objects, or one object after the other
              csv       a row with the names of the fields, then a row for each
                        document; requires --collection; cells are separated by
                        commas, semicolons or tabs
              emulator  the folder of an export, by the official emulator, by
                        Google's service or by `hearth export`; or the file in
                        it that ends in .overall_export_metadata

            All but emulator may be compressed with gzip. Values of JSON are typed JSON (docs/reference/cli.md).

            With --collection an object contains only the fields, as other programs write them, and --id-field names the field \
            with the document's id. Without --id-field every document gets a new id.

            The types of CSV columns are guessed from the first rows, and shown; --types sets them: string, int, \
            double, bool, timestamp, bytes (base64), geopoint (37.8,-122.4), reference, json. An empty cell is a field that \
            the document does not have.

            Each document replaces an existing one under its path; other documents are kept. Importing is therefore idempotent: \
            if it stops, run it again. (Not so with new ids: without --id-field every run adds documents.)

            At a malformed document the import stops, and names the line and the field; the documents before it are imported. \
            --skip-bad skips up to a number of them, --keep-going all; they are reported and left out. \
            More in docs/guides/import-export.md.

            EXIT CODES
              0  all documents are imported
              1  all documents but those reported as left out are imported
              2  the import has stopped; the documents before that are imported

            EXAMPLES
              hearth import --data app.sqlite backup.jsonl
              hearth import --data app.sqlite --collection cities --id-field id c.jsonl
              hearth import --collection cities --id-field code cities.csv.gz
              hearth import --collection cities --types zip:string,founded:timestamp c.csv
              hearth import --server 127.0.0.1:8080 export/firestore_export
              zstd -dc backup.jsonl.zst | hearth import --data app.sqlite -
            """)

    @OptionGroup(title: "Database") var place: PlaceOptions

    @Option(help: ArgumentHelp("The format: jsonl, json, csv or emulator. (default: by name and content)", valueName: "format"))
    var format: FileFormat?

    @Option(help: ArgumentHelp("The collection; objects and rows contain only the fields of a document.", valueName: "path"))
    var collection: String?

    @Option(
        help: ArgumentHelp(
            "With --collection: the field, or path, with the id, a string or an integer. It remains a field.", valueName: "path"))
    var idField: String?

    @Option(
        help: ArgumentHelp(
            "What separates the cells of CSV: comma, semicolon or tab, or the character. (default: by the first row)", valueName: "name"))
    var delimiter: CSVDelimiter?

    @Option(help: ArgumentHelp("The types of CSV columns, instead of guesses. May be repeated.", valueName: "name:type,…"))
    var types: [String] = []

    @Option(help: ArgumentHelp("Leave out up to this number of malformed documents, then stop.", valueName: "count"))
    var skipBad: Int = 0

    @Flag(help: "Leave out all malformed documents.")
    var keepGoing = false

    @Flag(help: "Print errors only.")
    var quiet = false

    @Argument(help: "The file or folder; - for standard input.", completion: .file())
    var file: String

    func validate() throws {
        if idField != nil, collection == nil { throw ValidationError("--id-field requires --collection") }
        if collection != nil, format == .emulator {
            throw ValidationError("an export contains documents with their paths; omit --collection")
        }
        if skipBad < 0 { throw ValidationError("--skip-bad must not be negative") }
    }

    func run() async throws {
        let form = try collection.map { (path) throws(FirestoreError) in
            DocumentForm.fields(of: try PathCheck.collectionPath(path), idField: idField)
        }
        let types = try ColumnType.list(types, advice: NearestName.advice)
        let (file, format, delimiter, quiet, badAllowed) = (file, format, delimiter, quiet, keepGoing ? Int.max : skipBad)
        // An import can be repeated, so commits do not wait for the disk one by one. When the command ends everything
        // is durable.
        try await place.run(.create, durability: .relaxed, environment: CommandEnvironment.current) { open in
            let bar = ProgressBar(isQuiet: quiet)
            let limits = ImportLimits(retries: open.isRemote ? 6 : 0)
            let transfer = DocumentImport(
                into: open.service, context: open.stream, limits: limits, badAllowed: badAllowed,
                onProgress: { bar.show($0) }, onBadDocument: { bar.say("hearth import: left out: \(CommandMessage.text(of: $0))") },
                pause: { Thread.sleep(forTimeInterval: $0 / .seconds(1)) })
            let request = ImportRequest(file, format: format, form: form ?? .documents, types: types, delimiter: delimiter) { note in
                if !quiet { bar.say("hearth import: \(CommandAdvice.text(of: note))") }
            }
            let database = open.database
            let summary = await transfer.run { () throws(FirestoreError) in try request.open(in: database) }
            bar.finish(nil)
            try Self.tell(summary, bar)
        }
    }

    private static func tell(_ summary: ImportSummary, _ bar: ProgressBar) throws {
        if let failure = summary.failure {
            StandardError.say("hearth import: \(CommandMessage.text(of: failure))")
            let count = ProgressLine.count(summary.progress.documents)
            let advice = failure.code == .cancelled ? "for the rest" : "after correcting this"
            StandardError.say("\(count) \(summary.progress.documents == 1 ? "is" : "are") imported; run the command again \(advice)")
            throw Outcome.failure
        }
        bar.finish("imported \(ProgressLine.summary(summary.progress, after: bar.elapsed))")
        guard summary.bad > 0 else { return }
        StandardError.say("hearth import: left out \(ProgressLine.count(summary.bad))")
        throw Outcome.findings
    }
}
