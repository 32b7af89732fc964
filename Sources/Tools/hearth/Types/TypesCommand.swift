// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreSchema
import FirestoreTransfer

extension TypeOptions.Enums: ExpressibleByArgument {}
extension PrintOptions.Conformance: ExpressibleByArgument {}

enum TimestampChoice: String, ExpressibleByArgument, CaseIterable {
    /// `Date`, where no value loses by it.
    case date
    /// `Timestamp`
    case exact
}

/// `hearth types COLLECTION`: prints Swift types that decode the documents of a collection.
struct TypesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types",
        abstract: "Print Swift types that decode the documents of a collection.",
        discussion: """
            Reads documents once and prints a Swift file: a structure with nested structures, enumerations, CodingKeys, and \
            comments where the data leaves doubt, with counts and ids. Every document that was read decodes. The same \
            documents give the same bytes, in whatever order they are read.

            Databases in files are read whole; of servers and the cloud the first 10,000 documents by name, unless --all or \
            --limit is given. --from reads a file or folder instead, and opens no database.

            Paths of fields are written as `hearth schema` prints them: address.city, stops[].kind for elements of an array, \
            prices{} for values of a dictionary.

            The output compiles with the Apple SDK too. --hearth uses what only Hearth has. More in docs/guides/mapping.md.

            EXIT CODES
              0  the types are printed
              1  there are no documents
              2  the documents cannot be read, or the command was not understood

            EXAMPLES
              hearth types --data app.sqlite cities
              hearth types cities --from export/firestore_export -o City.swift
              hearth types landmarks --group --where 'kind == "bridge"'
              hearth types books --enum status --map prices --fields
              hearth types cities --cloud my-project --all --schema cities.json
            """)

    @OptionGroup(title: "Documents") var source: SchemaSourceOptions

    @Option(help: ArgumentHelp("The name of the type. (default: the collection's singular)", valueName: "name"))
    var name: String?

    @Option(help: "Enumerations of strings: open keeps unknown values, closed refuses them, off prints strings.")
    var enums: TypeOptions.Enums = .open

    @Option(help: ArgumentHelp("Print an enumeration for these strings. May be repeated.", valueName: "path"))
    var `enum`: [String] = []

    @Option(help: ArgumentHelp("Print no enumeration for these strings. May be repeated.", valueName: "path"))
    var noEnum: [String] = []

    @Option(help: ArgumentHelp("Print a dictionary for this map. May be repeated.", valueName: "path"))
    var map: [String] = []

    @Option(help: ArgumentHelp("Print a structure for this map. May be repeated.", valueName: "path"))
    var `struct`: [String] = []

    @Option(help: "Timestamps: date where no value loses by it, or exact.")
    var timestamps: TimestampChoice = .date

    @Flag(help: "Use only what the Apple SDK has too. This is the default.")
    var portable = false

    @Flag(help: "Use FirestoreValue and other types that only Hearth has.")
    var hearth = false

    @Flag(help: "Add a table of typed fields to each structure (FirestoreModels).")
    var fields = false

    @Flag(help: "Put the macro @FirestoreModel on each structure (FirestoreModelMacros).")
    var macro = false

    @Flag(help: "Make the types public.")
    var `public` = false

    @Option(
        help: ArgumentHelp(
            "What the types conform to beside Codable: hashable all of them, identifiable that of the documents. May be repeated.",
            valueName: "protocol"))
    var conform: [PrintOptions.Conformance] = []

    @Option(
        help: ArgumentHelp("Add what was read to this schema, a file of JSON, and print types for both.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var schema: String?

    @Option(
        name: .customShort("o"), help: ArgumentHelp("Write to this file; - is standard output.", valueName: "file"),
        completion: .file(extensions: ["swift"]))
    var file: String?

    @Flag(help: "With -o: replace an existing file.")
    var overwrite = false

    @OptionGroup(title: "Database") var place: PlaceOptions

    func validate() throws {
        if portable, hearth { throw ValidationError("--portable and --hearth exclude each other") }
        if fields, macro { throw ValidationError("--fields and --macro exclude each other") }
        if portable, fields || macro { throw ValidationError("--fields and --macro need Hearth; omit --portable") }
        for path in `enum` where noEnum.contains(path) { throw ValidationError("--enum and --no-enum both name \(path)") }
        for path in map where `struct`.contains(path) { throw ValidationError("--map and --struct both name \(path)") }
        if schema == "-" { throw ValidationError("--schema must name a file, which is rewritten") }
        try source.refuse(place)
        if overwrite, file == nil { throw ValidationError("--overwrite requires -o FILE") }
        if let name, !Self.isTypeName(name) { throw ValidationError("--name must be the name of a Swift type, not '\(name)'") }
    }

    /// Letters, digits and underscores; a name that does not hide a type the output uses.
    private static func isTypeName(_ name: String) -> Bool {
        guard let first = name.utf8.first, first | 0x20 >= 0x61 && first | 0x20 <= 0x7A else { return false }
        return SwiftPrinter.isFree(name)
            && name.utf8.allSatisfy { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 == 0x5F || $0 >= 0x30 && $0 <= 0x39 }
    }

    private var printer: SwiftPrinter {
        var types = TypeOptions()
        types.enums = enums
        types.enumPaths = Set(`enum`)
        types.stringPaths = Set(noEnum)
        types.mapPaths = Set(map)
        types.structPaths = Set(`struct`)
        types.keepsTimestamps = timestamps == .exact
        types.usesExtras = hearth || fields || macro
        var options = PrintOptions()
        options.fields = fields ? .table : macro ? .macro : .none
        options.isPublic = `public`
        options.conformances = Set(conform)
        return SwiftPrinter(types: types, options: options)
    }

    func run() async throws {
        let command = self
        // Before anything is read.
        if let file, file != "-", !overwrite { try SchemaFiles.refuseExisting(file) }
        let known = try schema.map { try SchemaFiles.known(in: $0, of: source) }
        try await source.read(place, command: "hearth types", counted: known?.counted) { try command.print($0, known) }
    }

    /// - Parameter known: The schema in the file, which is widened by the findings.
    private func print(_ found: SchemaReading.Found, _ known: SchemaFiles.Known?) throws {
        var found = found
        guard found.read > 0 else {
            StandardError.say("hearth types: there are no documents in \(found.collection)")
            throw Outcome.findings
        }
        if let known, let schema { try SchemaFiles.widen(&found, known, file: schema) }
        let printer = printer
        if !source.quiet {
            for warning in printer.warnings(found.tree) {
                StandardError.say("hearth types: warning: \(warning.choice.option) \(warning.path) \(warning.problem)")
            }
        }
        let text = printer.text(
            found.tree, collection: found.collection, name: name, extent: found.extent,
            remarks: found.below.prefix(20).map(ShellWord.remark))
        // The schema gets its name only once the types are where they should be.
        let known = try schema.map { path in
            let schema = SchemaFile(collection: found.collection, isGroup: found.isGroup, tree: found.tree, options: printer.types)
            return try SchemaFiles.file(schema.json.bytes(.indented) + [0x0A], at: path, replacing: true)
        }
        if let file, file != "-" {
            try SchemaFiles.file(Array(text.utf8), at: file, replacing: overwrite).finish()
        } else {
            let output = StandardOutput()
            try output.write(text)
            try output.flush()
        }
        try known?.finish()
    }
}

extension PathWarning.Choice {
    fileprivate var option: String {
        switch self {
        case .enumeration: "--enum"
        case .string: "--no-enum"
        case .map: "--map"
        case .structure: "--struct"
        }
    }
}
