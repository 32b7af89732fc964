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
    private var reader: TypedJSONReader

    init(_ form: DocumentForm, database: DatabaseID, makeID: @escaping () -> String) {
        self.form = form
        self.makeID = makeID
        reader = TypedJSONReader(database: database)
    }

    /// `line` and `column` describe the beginning of the object; `column` is the number of characters before it.
    mutating func document(
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
