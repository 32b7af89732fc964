package import FirestoreCore

/// Documents from a file with one JSON object a line.
package struct JSONLinesInput: DocumentInput {
    /// What a line is.
    package enum LineForm: Sendable {
        /// `{"path": "cities/SF", "fields": {…}}`
        case documents
        /// The fields of a document of this collection. The field named gives the id and stays a field; nil: an id is made up.
        case fields(of: CollectionPath, idField: String?)
    }

    private let form: LineForm
    private let lines: LineReader
    private var reader: TypedJSONReader
    private let makeID: () -> String

    package init(
        _ file: InputFile, form: LineForm, database: DatabaseID, makeID: @escaping () -> String = { AutoID.make() }
    ) {
        self.form = form
        lines = LineReader(file)
        reader = TypedJSONReader(database: database)
        self.makeID = makeID
    }

    package var bytesRead: Int64 { lines.bytesRead }
    package var size: Int64? { lines.fileSize }

    /// Lines without anything on them are passed over.
    package mutating func next() throws(FirestoreError) -> ImportItem? {
        while true {
            let number = lines.number + 1
            let found = try lines.next { line -> Result<TransferredDocument, FirestoreError>? in
                switch line {
                case .tooLong:
                    return .failure(.invalidArgument("the line is longer than \(LineReader.maximumLine) bytes", at: "line \(number)"))
                case .text(let text):
                    if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return nil }
                    do throws(FirestoreError) {
                        return .success(try document(text, number))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            // No line is left; or it was empty.
            guard let found else { return nil }
            guard let content = found else { continue }
            let name = lines.fileName
            return ImportItem(ImportPlace(file: name, .line(number)), content.mapError { $0.inside(name) })
        }
    }

    private mutating func document(
        _ text: UnsafeRawBufferPointer, _ number: Int
    ) throws(FirestoreError) -> TransferredDocument {
        switch form {
        case .documents: return try reader.document(text, line: number)
        case .fields(let collection, let idField):
            let fields = try reader.fields(text, line: number)
            let id = try idField.map { (name) throws(FirestoreError) in try Self.id(of: fields, from: name, number) } ?? makeID()
            return TransferredDocument(key: DocumentKey(collection: collection, id: id), fields: fields)
        }
    }

    /// A text as it is, an integer in digits.
    private static func id(of fields: FieldBytes, from name: String, _ number: Int) throws(FirestoreError) -> String {
        defer { withExtendedLifetime(fields) {} }
        let place = "line \(number), field \(FieldPathSegments(name).canonical)"
        guard let value = fields.view[utf8: name] else {
            throw .invalidArgument("the field that gives the document its id is missing", at: place)
        }
        guard let id = value.string ?? value.integer.map({ String($0) }) else {
            throw .invalidArgument("the field that gives the document its id holds neither a text nor an integer", at: place)
        }
        do throws(FirestoreError) { try PathCheck.documentID(id) } catch {
            throw .invalidArgument(error.message, at: place)
        }
        return id
    }
}
