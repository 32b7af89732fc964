// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreTransfer

/// `hearth update PATH field=value…`: changes fields of an existing document.
struct UpdateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Change fields of an existing document.",
        discussion: """
            A change is field=value, or a JSON object whose names are field paths. In a path a dot leads into a map, and a name \
            that is not an identifier is enclosed in back-ticks: address.city, `first name`. Values are typed JSON \
            (`hearth help set`); each replaces the value at its path as a whole.

            EXIT CODES
              0  changed
              1  the document does not exist, or a condition does not hold
              2  it could not be written, or the command was not understood

            EXAMPLES
              hearth update --data app.sqlite cities/SF population=870000 'area.land=121.5'
              hearth update cities/SF --increment visits=1 --append 'tags="bay"'
              hearth update cities/SF '{"area.water": null}' --delete-field draft
            """)

    @Argument(help: "The path of the document: cities/SF.", completion: .custom(PathCompletion.documents))
    var path: String

    @Argument(help: ArgumentHelp("Changes: field=value, or a JSON object; - for one on standard input.", valueName: "change"))
    var changes: [String] = []

    @Option(help: ArgumentHelp("Remove these fields, separated by commas.", valueName: "fields"))
    var deleteField: [String] = []

    @OptionGroup(title: "Transforms") var transforms: TransformOptions
    @OptionGroup(title: "Conditions") var conditions: PreconditionOptions
    @OptionGroup(title: "Database") var place: PlaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        if changes.isEmpty, deleteField.isEmpty, transforms.isEmpty {
            throw ValidationError("nothing to change: give field=value, a JSON object, or an option such as --increment")
        }
    }

    func run() async throws {
        let command = self
        let key = try PathCheck.documentKey(path)
        try await place.run(.change, environment: CommandEnvironment.current) { open in
            let write = try command.write(key, in: open.database)
            let response = try await Commit.make([write], in: open, command: "update")
            try Commit.report([write], response, done: "updated", in: open, command.output)
        }
    }

    /// The document must exist, and no path may lie inside another (WR-43).
    private func write(_ key: DocumentKey, in database: DatabaseID) throws(FirestoreError) -> Write {
        var fields = FieldMap()
        var mask: [FieldPathSegments] = []
        for change in changes {
            for (path, value) in try Self.assignments(change, in: database) {
                fields[path] = try value.value
                mask.append(path)
            }
        }
        mask += try FieldPathText.list(deleteField)
        let transforms = try transforms.transforms(in: database)
        try Self.checkApart(mask + Set(transforms.map(\.path)))
        return Write(
            key: key, operation: .patch(FieldBytes(fields), mask: mask), precondition: try conditions.precondition ?? .exists(true),
            transforms: transforms)
    }

    private static func assignments(
        _ change: String, in database: DatabaseID
    ) throws(FirestoreError) -> [(path: FieldPathSegments, value: ValueBytes)] {
        guard change.utf8.first == UInt8(ascii: "{") || change.utf8.elementsEqual("-".utf8) else {
            return [try FieldAssignment.parse(change, "the change", in: database)]
        }
        let fields = try JSONArgument.fields(change, in: database)
        defer { withExtendedLifetime(fields) {} }
        var result: [(FieldPathSegments, ValueBytes)] = []
        for (name, value) in fields.view {
            let path = try FieldPathText.parse(String(decoding: name, as: UTF8.self))
            result.append((path, ValueBytes(canonical: ByteSlice(copying: value.buffer))))
        }
        return result
    }

    private static func checkApart(_ paths: [FieldPathSegments]) throws(FirestoreError) {
        let sorted = paths.sorted()
        for (path, next) in zip(sorted, sorted.dropFirst()) where path.isPrefix(of: next) {
            let (one, other) = (path.canonical, next.canonical)
            throw .invalidArgument(
                path == next ? "the field \(one) is changed twice" : "one changed field contains another: \(one) and \(other)")
        }
    }
}
