import ArgumentParser
import FirestoreCore
import FirestoreTransfer
import Foundation

/// `hearth export FILE`: writes the documents of a database into a file or folder.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the documents of a database into a file or folder.",
        discussion: """
            Writes one of two formats:

              jsonl     one document a line, - for standard output:
                        {"path": "cities/SF", "fields": {"name": "San Francisco"}}
              emulator  a folder, which the official emulator imports
                        (--seed_from_export) and `hearth import` too

            Values of jsonl are typed JSON (docs/cli.md). The documents are all as of one moment, however long it takes and \
            whoever writes meanwhile, and sorted by path: the same documents give the same bytes. Everything is exported, \
            what lies below documents that do not exist too, unless --collection or --group choose.

            What is written gets its name at the end: a failed export leaves nothing behind that looks whole. \
            More in docs/import-export.md.

            EXIT CODES
              0  everything is written
              2  nothing is

            EXAMPLES
              hearth export --data app.sqlite backup.jsonl
              hearth export --data app.sqlite - | gzip > backup.jsonl.gz
              hearth export --data app.sqlite --collection cities --overwrite c.jsonl
              hearth export --cloud my-project --format emulator seed
            """)

    @OptionGroup(title: "Database") var place: PlaceOptions

    @Option(help: ArgumentHelp("jsonl or emulator.", valueName: "format"))
    var format: TransferFormat = .jsonl

    @Option(help: ArgumentHelp("This collection and all below its documents; may be repeated.", valueName: "path"))
    var collection: [String] = []

    @Option(help: ArgumentHelp("Every collection with this id, wherever it lies; may be repeated.", valueName: "id"))
    var group: [String] = []

    @Flag(help: "With --collection: nothing below its documents.")
    var shallow = false

    @Flag(help: "Replace what is there under that name.")
    var overwrite = false

    @Flag(help: "Say nothing but errors.")
    var quiet = false

    @Argument(help: "The file or folder to make; - for standard output.", completion: .file())
    var file: String

    func validate() throws {
        if shallow, collection.isEmpty { throw ValidationError("--shallow belongs to --collection") }
        if format == .emulator, file == InputFile.standard {
            throw ValidationError("an export for the emulator is a folder; name one, or use --format jsonl")
        }
    }

    private func selections() throws(FirestoreError) -> [ExportSelection] {
        var selections: [ExportSelection] = []
        for path in collection { selections.append(.collection(try PathCheck.collectionPath(path), withBelow: !shallow)) }
        for id in group {
            try PathCheck.collectionID(id)
            selections.append(.group(id))
        }
        return selections.isEmpty ? [.everything] : selections
    }

    func run() async throws {
        let selections = try selections()
        let (file, format, overwrite, quiet) = (file, format, overwrite, quiet)
        try await place.run(.read, environment: CommandEnvironment.current) { open in
            let bar = ProgressBar(isQuiet: quiet)
            defer { bar.finish(nil) }
            let export = DocumentExport(
                of: open.service, database: open.database, context: open.stream, retries: open.isRemote ? 6 : 0,
                onProgress: { bar.show($0) }, pause: { try? await Task.sleep(for: $0) })
            let output: any DocumentOutput =
                switch format {
                case .jsonl: JSONLinesOutput(try OutputFile(file, replacing: overwrite), database: open.database)
                case .emulator: try ExportFolderOutput(file, replacing: overwrite, database: open.database)
                }
            do throws(FirestoreError) {
                let progress = try await export.run(selections, into: output)
                bar.finish("exported \(ProgressLine.summary(progress, after: bar.elapsed))")
            } catch {
                // Who reads our output has had enough of it.
                if error.code == .cancelled, file == InputFile.standard { throw StandardOutput.Closed() }
                throw error
            }
        }
    }
}
