// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The form of the objects in a file.
package enum DocumentForm: Sendable {
    /// `{"path": "cities/SF", "fields": {…}}`
    case documents
    /// The fields of a document of this collection. The named field contains the id and remains a field; nil: ids are
    /// generated.
    case fields(of: CollectionPath, idField: String?)
}

/// Reads documents from JSON objects.
struct DocumentReader {
    let form: DocumentForm
    let makeID: () -> String
    private let database: DatabaseID
    private var reader: TypedJSONReader
    /// For files of other tools, which are recognized by their first object that says what they are.
    private var seeds: SeedReader?
    private var isLooking = true

    init(_ form: DocumentForm, database: DatabaseID, makeID: @escaping () -> String) {
        self.form = form
        self.makeID = makeID
        self.database = database
        reader = TypedJSONReader(database: database)
    }

    /// The documents of an object, in files of other tools perhaps several or none. `line` and `column` describe its beginning; `column`
    /// is the number of characters before it.
    mutating func documents(
        _ text: UnsafeRawBufferPointer, line: Int, column: Int = 0
    ) -> [Result<TransferredDocument, FirestoreError>] {
        if isLooking {
            if let format = SeedFormat(text, hasCollection: form.hasCollection) { seeds = SeedReader(format, form, database: database) }
            isLooking = seeds == nil && SeedFormat.mayBeEmptyAnswer(text)
        }
        guard seeds != nil else { return [Result { () throws(FirestoreError) in try document(text, line: line, column: column) }] }
        do throws(FirestoreError) {
            return try seeds?.documents(text, line: line).map { .success($0) } ?? []
        } catch {
            return [.failure(error)]
        }
    }

    /// The form of the file, if it is that of another tool; known after its first object.
    var seedFormat: SeedFormat? { seeds?.format }

    private mutating func document(
        _ text: UnsafeRawBufferPointer, line: Int, column: Int = 0
    ) throws(FirestoreError) -> TransferredDocument {
        reader.firstColumn = column
        switch form {
        case .documents:
            do throws(FirestoreError) {
                return try reader.document(text, line: line)
            } catch {
                guard Self.isPlain(text) else { throw error }
                throw .plainObject(line, wrapped: wrappedArray(text))
            }
        case .fields(let collection, let idField):
            let fields = try reader.fields(text, line: line)
            let id = try idField.map { (name) throws(FirestoreError) in
                try Self.id(of: fields, from: name, line, wrappedArray(text))
            }
            return TransferredDocument(key: DocumentKey(collection: collection, id: id ?? makeID()), fields: fields)
        }
    }

    /// Whether an object has the form that other programs write: it lacks the members of a document, and has members
    /// that a document does not have.
    private static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
        var scanner = JSONScanner(text)
        var names: Set<String> = []
        guard scanner.take(UInt8(ascii: "{")) else { return false }
        do throws(JSONProblem) {
            if scanner.peek() == UInt8(ascii: "}") { return false }
            repeat {
                names.insert(try scanner.string(of: try scanner.name()))
                try scanner.skipValue(levels: TypedJSON.nesting)
            } while scanner.take(UInt8(ascii: ","))
        } catch {
            return false
        }
        let isWhole = names.isSuperset(of: ["path", "fields"])
        return !isWhole && !names.isSubset(of: ["path", "fields", "createTime", "updateTime", "readTime"])
    }

    /// The first member of an object whose value is an array of objects; nil if the object has the form of a document.
    func wrappedArray(_ text: UnsafeRawBufferPointer) -> String? {
        if seeds != nil { return nil }
        if case .documents = form, !Self.isPlain(text) { return nil }
        return WrappedArray.member(of: text)
    }

    /// A string as it is, an integer in digits. `name` is the name of a field, or a path to one.
    private static func id(
        of fields: FieldBytes, from name: String, _ line: Int, _ wrapped: @autoclosure () -> String?
    ) throws(FirestoreError) -> String {
        defer { withExtendedLifetime(fields) {} }
        let own = FieldPathSegments(name)
        let path = fields.view[utf8: name] == nil ? (try? PathCheck.fieldPath(wire: name)) ?? own : own
        let place = "line \(line), field \(path.canonical)"
        guard let value = fields.view[path] else {
            throw FirestoreError(
                .invalidArgument, "the field with the document's id is missing", at: place,
                cause: wrapped().map { TransferReason.arrayInObject(member: $0) })
        }
        guard let id = value.string ?? value.integer.map({ String($0) }) else {
            throw .invalidArgument("the field with the document's id is neither a string nor an integer", at: place)
        }
        try DocumentForm.check(id: id, at: place)
        return id
    }
}

extension DocumentForm {
    var hasCollection: Bool { if case .fields = self { true } else { false } }

    /// `place`: the location of the id in the file.
    static func check(id: String, at place: String) throws(FirestoreError) {
        do throws(FirestoreError) { try PathCheck.documentID(id) } catch {
            throw .invalidArgument(id.isEmpty ? error.message : "\"\(id)\": \(error.message)", at: place)
        }
    }
}

extension FirestoreError {
    /// `wrapped`: the name of a member that is an array of objects.
    static func plainObject(_ line: Int, wrapped: String? = nil) -> FirestoreError {
        FirestoreError(
            .invalidArgument, "this is an ordinary JSON object, not a document with \"path\" and \"fields\"", at: "line \(line)",
            cause: wrapped.map { TransferReason.arrayInObject(member: $0) } ?? .unknownCollection)
    }

    static func csvWithoutCollection(_ file: String) -> FirestoreError {
        FirestoreError(
            .invalidArgument, "a row of CSV contains only the fields of a document", at: file, cause: TransferReason.unknownCollection)
    }
}
