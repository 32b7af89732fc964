import ArgumentParser
import FirestoreCore
import FirestoreTransfer
import Foundation

/// `hearth import FILE`: brings documents into a database.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Bring the documents of a file or folder into a database.",
        discussion: """
            Reads one of these formats, told apart by the name and the content of FILE:

              jsonl     one document a line, - for standard input:
                        {"path": "cities/SF", "fields": {"name": "San Francisco"}}
              json      an array of such objects, or one object after the other
              csv       a row with the names of the fields, then a row for each
                        document; needs --collection
              emulator  the folder of an export, by the official emulator, by
                        Google's service or by `hearth export`; or the file in
                        it that ends in .overall_export_metadata

            All but emulator may be compressed with gzip. Values of JSON are typed JSON (docs/cli.md).

            With --collection an object is the fields alone, as other programs write them, and --id-field names the field \
            with the document's id. Without --id-field every document gets a new id.

            The types of CSV columns are guessed from the first rows, and shown; --types says what they are: string, int, \
            double, bool, timestamp, bytes (base64), geopoint (37.8,-122.4), reference, json. An empty cell is a field that \
            the document does not have.

            Each document replaces the one that is there under its path; others stay. So an import that has stopped is run \
            again. (But not with new ids: without --id-field every run adds documents.)

            At a document that is not well formed the import stops, and names the line and the field; the documents before \
            it are in. --skip-bad passes over so many of them, --keep-going over all; they are reported and left out. \
            More in docs/import-export.md.

            EXIT CODES
              0  everything is in
              1  everything is in but for documents that were reported and left out
              2  the import has stopped; what was read before is in

            EXAMPLES
              hearth import --data app.sqlite backup.jsonl
              hearth import --data app.sqlite --collection cities --id-field id c.jsonl
              hearth import --collection cities --id-field code cities.csv.gz
              hearth import --collection cities --types zip:string,founded:timestamp c.csv
              hearth import --server 127.0.0.1:8080 export/firestore_export
              zstd -dc backup.jsonl.zst | hearth import --data app.sqlite -
            """)

    @OptionGroup(title: "Database") var place: PlaceOptions

    @Option(help: ArgumentHelp("What FILE is: jsonl, json, csv or emulator. (default: what its name and content say)", valueName: "format"))
    var format: FileFormat?

    @Option(help: ArgumentHelp("Objects and rows are the fields of documents of this collection.", valueName: "path"))
    var collection: String?

    @Option(help: ArgumentHelp("With --collection: the field with the id, a text or an integer. It stays a field.", valueName: "name"))
    var idField: String?

    @Option(help: ArgumentHelp("The types of CSV columns, where a guess will not do; may be repeated.", valueName: "name:type,…"))
    var types: [String] = []

    @Option(help: ArgumentHelp("Leave out as many bad documents, then stop.", valueName: "count"))
    var skipBad: Int = 0

    @Flag(help: "Leave out every bad document.")
    var keepGoing = false

    @Flag(help: "Say nothing but errors.")
    var quiet = false

    @Argument(help: "The file or folder; - for standard input.", completion: .file())
    var file: String

    func validate() throws {
        if idField != nil, collection == nil { throw ValidationError("--id-field belongs to --collection") }
        if collection != nil, format == .emulator {
            throw ValidationError("an export holds documents with their paths; leave --collection out")
        }
        if skipBad < 0 { throw ValidationError("--skip-bad must not be negative") }
    }

    func run() async throws {
        let form = try collection.map { (path) throws(FirestoreError) in
            DocumentForm.fields(of: try PathCheck.collectionPath(path), idField: idField)
        }
        let types = try ColumnType.list(types)
        let (file, format, quiet, badAllowed) = (file, format, quiet, keepGoing ? Int.max : skipBad)
        // An import can be done again: commits need not wait for the disk one by one. When the command ends all is there.
        try await place.run(.create, durability: .relaxed, environment: CommandEnvironment.current) { open in
            let bar = ProgressBar(isQuiet: quiet)
            let limits = ImportLimits(retries: open.isRemote ? 6 : 0)
            let transfer = DocumentImport(
                into: open.service, context: open.stream, limits: limits, badAllowed: badAllowed,
                onProgress: { bar.show($0) }, onBadDocument: { bar.say("hearth import: left out: \($0)") },
                pause: { Thread.sleep(forTimeInterval: $0 / .seconds(1)) })
            let request = ImportRequest(file, format: format, form: form ?? .documents, types: types) { note in
                if !quiet { bar.say("hearth import: \(note)") }
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
            let advice = failure.code == .cancelled ? "for the rest" : "once that is mended"
            StandardError.say("\(count) \(summary.progress.documents == 1 ? "is" : "are") in; run it again \(advice)")
            throw Outcome.failure
        }
        bar.finish("imported \(ProgressLine.summary(summary.progress, after: bar.elapsed))")
        guard summary.bad > 0 else { return }
        StandardError.say("hearth import: left out \(ProgressLine.count(summary.bad))")
        throw Outcome.findings
    }
}
