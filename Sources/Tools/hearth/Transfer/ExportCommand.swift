// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreTransfer
import Foundation

/// `hearth export FILE`: writes the documents of a database to a file or folder.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the documents of a database to a file or folder.",
        discussion: """
            Writes one of two formats:

              jsonl     one document per line; FILE may be - for standard output:
                        {"path": "cities/SF", "fields": {"name": "San Francisco"}}
              emulator  a folder that the official emulator (--seed_from_export) and
                        `hearth import` can read

            Values of jsonl are typed JSON (docs/reference/cli.md). All documents are read at one moment, whatever is written meanwhile, \
            and sorted by path: the same documents give the same bytes. Everything is exported, including the documents below \
            documents that do not exist, unless --collection or --group is given.

            The output gets its name when it is complete: a failed export leaves no file that looks complete. \
            More in docs/guides/import-export.md.

            EXIT CODES
              0  all documents are written
              2  the export failed, and nothing is written

            EXAMPLES
              hearth export --data app.sqlite backup.jsonl
              hearth export --data app.sqlite - | gzip > backup.jsonl.gz
              hearth export --data app.sqlite --collection cities --overwrite c.jsonl
              hearth export --cloud my-project --format emulator seed
            """)

    @OptionGroup(title: "Database") var place: PlaceOptions

    @Option(help: ArgumentHelp("The format: jsonl or emulator.", valueName: "format"))
    var format: TransferFormat = .jsonl

    @Option(help: ArgumentHelp("Only this collection and everything below it. May be repeated.", valueName: "path"))
    var collection: [String] = []

    @Option(help: ArgumentHelp("Only collections with this id, at any depth. May be repeated.", valueName: "id"))
    var group: [String] = []

    @Flag(help: "With --collection: without the collections below its documents.")
    var shallow = false

    @Flag(help: "Replace an existing file or folder.")
    var overwrite = false

    @Flag(help: "Print errors only.")
    var quiet = false

    @Argument(help: "The file or folder to create; - for standard output.", completion: .file())
    var file: String

    func validate() throws {
        if shallow, collection.isEmpty { throw ValidationError("--shallow requires --collection") }
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

    /// A clause about the state of the file after an interrupted export.
    static func left(of file: String, _ existed: Bool) -> String {
        if file == InputFile.standard { return "the output is not complete" }
        return existed ? "\(file) is unchanged" : "\(file) was not created"
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
            let existed = FileManager.default.fileExists(atPath: file)
            let output: any DocumentOutput =
                switch format {
                case .jsonl: JSONLinesOutput(try OutputFile(file, replacing: overwrite), database: open.database)
                case .emulator: try ExportFolderOutput(file, replacing: overwrite, database: open.database)
                }
            do throws(FirestoreError) {
                let progress = try await export.run(selections, into: output)
                bar.finish("exported \(ProgressLine.summary(progress, after: bar.elapsed))")
            } catch {
                if Task.isCancelled {
                    bar.finish(nil)
                    StandardError.say("hearth export: interrupted; \(Self.left(of: file, existed))")
                }
                // The reader of the output has ended.
                if error.code == .cancelled, file == InputFile.standard { throw StandardOutput.Closed() }
                throw error
            }
        }
    }
}
