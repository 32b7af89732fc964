// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Documents from a CSV file: a row with the names of the fields, then a row for each document.
///
/// An empty cell means that the document does not have the field; an empty cell in double quotes is an empty string.
package struct CSVInput: DocumentInput {
    private struct Column {
        let name: String
        /// Its position in a row.
        let index: Int
        let type: ColumnType
        let isGuessed: Bool
    }

    /// The maximum number of rows, and of their bytes, that are read before the types are guessed.
    private static let sampleRows = 1_000
    private static let sampleBytes = 1 << 20

    private let rows: CSVReader
    private let isDelimiterGiven: Bool
    private let collection: CollectionPath
    private let idColumn: Column?
    private let database: DatabaseID
    private let makeID: () -> String
    /// In the order of the file.
    private let columns: [Column]
    /// The columns of a document's fields, sorted by the bytes of their names.
    private let sorted: [Column]
    /// The rows that were read for guessing, in reverse order.
    private var waiting: [CSVReader.Row]
    private let sample: Int
    private var output = CanonicalBytes()
    private var values: TypedJSONReader

    /// Reads the first rows. `types` are the types of columns by name; the others are guessed.
    package init(
        _ file: any ByteSource, collection: CollectionPath, idField: String?, types: [(column: String, type: ColumnType)] = [],
        delimiter: CSVDelimiter? = nil, database: DatabaseID, makeID: @escaping () -> String = { AutoID.make() }
    ) throws(FirestoreError) {
        rows = CSVReader(file, delimiter: delimiter)
        isDelimiterGiven = delimiter != nil
        self.collection = collection
        self.database = database
        self.makeID = makeID
        values = TypedJSONReader(database: database)
        let names = try Self.header(rows)
        for name in types.map(\.column) + (idField.map { [$0] } ?? []) where !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
            let known = names.map { FieldPathSegments($0).canonical }.joined(separator: ", ")
            throw .invalidArgument("there is no column \(FieldPathSegments(name).canonical); the first row has \(known)", at: file.name)
        }
        let sample = try Self.sample(rows)
        self.sample = sample.count
        columns = names.enumerated().map { index, name in
            let said = types.last { $0.column.utf8.elementsEqual(name.utf8) }
            return Column(name: name, index: index, type: said?.type ?? Self.guess(index, sample), isGuessed: said == nil)
        }
        sorted = columns.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        idColumn = columns.first { column in idField.map { $0.utf8.elementsEqual(column.name.utf8) } ?? false }
        waiting = sample.reversed()
    }

    package var bytesRead: Int64 { rows.bytesRead }
    package var size: Int64? { rows.source.size }

    /// A delimiter other than the comma that was found in the first row, and the types of the columns if some were guessed.
    package var notes: [ImportNote] {
        var notes: [ImportNote] = []
        if !isDelimiterGiven, rows.delimiter != .comma { notes.append(.delimiter(rows.delimiter.plural, file: rows.source.name)) }
        if columns.contains(where: \.isGuessed) { notes.append(.types(types, sample: sampleText, file: rows.source.name)) }
        return notes
    }

    /// The types of all columns as `ColumnType.list` reads them.
    private var types: String {
        columns.map { "\(FieldPathSegments($0.name).canonical):\($0.type.rawValue)" }.joined(separator: ",")
    }

    private var sampleText: String { "the first " + (sample == 1 ? "row" : "\(sample) rows") }

    package mutating func next() throws(FirestoreError) -> ImportItem? {
        let next: CSVReader.Row?
        if let row = waiting.popLast() { next = row } else { next = try rows.row() }
        guard let row = next else { return nil }
        let name = rows.source.name
        let content = Result { () throws(FirestoreError) in try document(row) }
        return ImportItem(ImportPlace(file: name, .line(row.line)), content.mapError { $0.inside(name) })
    }

    // MARK: Reading the header

    private static func header(_ rows: CSVReader) throws(FirestoreError) -> [String] {
        guard let row = try rows.row() else {
            throw .invalidArgument("the file is empty; its first row must contain the names of the fields", at: rows.source.name)
        }
        let place = "\(rows.source.name): line \(row.line)"
        if let (cell, what) = row.problem { throw .invalidArgument(what, at: "\(place), cell \(cell + 1)") }
        var names: [String] = []
        for (index, cell) in row.cells.enumerated() {
            let bytes = row.bytes[cell.range]
            guard bytes.withUnsafeBytes({ isValidUTF8($0) }) else { throw notUTF8("\(place), cell \(index + 1)") }
            let name = String(decoding: bytes, as: UTF8.self)
            if name.isEmpty {
                throw .invalidArgument("a name is missing; the first row must name all fields", at: "\(place), cell \(index + 1)")
            }
            if names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
                let field = FieldPathSegments(name).canonical
                throw .invalidArgument("two columns have this name; rename one of them", at: "\(place), field \(field)")
            }
            names.append(name)
        }
        return names
    }

    private static func sample(_ rows: CSVReader) throws(FirestoreError) -> [CSVReader.Row] {
        var sample: [CSVReader.Row] = []
        var bytes = 0
        while sample.count < sampleRows, bytes < sampleBytes, let row = try rows.row() {
            sample.append(row)
            bytes += row.bytes.count
        }
        return sample
    }

    private static func guess(_ index: Int, _ sample: [CSVReader.Row]) -> ColumnType {
        var guess = ColumnGuess()
        for row in sample where row.problem == nil && index < row.cells.count && !row.cells[index].range.isEmpty {
            guess.look(at: String(decoding: row.bytes[row.cells[index].range], as: UTF8.self))
        }
        return guess.type
    }

    private static func notUTF8(_ place: String) -> FirestoreError {
        .invalidArgument("the text is not valid UTF-8; convert the file first, for example with iconv", at: place)
    }

    // MARK: Documents

    private mutating func document(_ row: CSVReader.Row) throws(FirestoreError) -> TransferredDocument {
        let place = "line \(row.line)"
        if let (cell, what) = row.problem {
            throw .invalidArgument(what, at: place + (cell < columns.count ? ", field \(canonical(columns[cell]))" : ""))
        }
        guard row.cells.count == columns.count else {
            throw .invalidArgument("the row has \(Self.count(row.cells.count)), and the first row \(Self.count(columns.count))", at: place)
        }
        output.removeAll()
        let mark = output.entryMark
        for column in sorted { try append(row, column, at: place) }
        _ = output.sortEntries(since: mark)
        let fields = FieldBytes(canonical: output.bytes.withUnsafeBytes { ByteSlice(copying: $0) })
        let id = try idColumn.map { (column) throws(FirestoreError) in
            let id = String(decoding: row.bytes[row.cells[column.index].range], as: UTF8.self)
            try DocumentForm.check(id: id, at: "\(place), field \(canonical(column))")
            return id
        }
        return TransferredDocument(key: DocumentKey(collection: collection, id: id ?? makeID()), fields: fields)
    }

    private static func count(_ cells: Int) -> String { cells == 1 ? "1 cell" : "\(cells) cells" }

    private func canonical(_ column: Column) -> String { FieldPathSegments(column.name).canonical }

    private mutating func append(_ row: CSVReader.Row, _ column: Column, at place: String) throws(FirestoreError) {
        let cell = row.cells[column.index]
        if cell.range.isEmpty, !cell.isQuoted || column.type != .string { return }
        let bytes = row.bytes[cell.range]
        let isValid = bytes.withUnsafeBytes { isValidUTF8($0) }
        guard isValid else { throw Self.notUTF8("\(place), field \(canonical(column))") }
        var value: Value?
        if column.type != .string { value = try self.value(String(decoding: bytes, as: UTF8.self), column, at: place) }
        var name = column.name
        let entry = name.withUTF8 { output.beginEntry(WireTag.documentEntry, name: UnsafeRawBufferPointer($0)) }
        if let value { output.append(value) } else { bytes.withUnsafeBytes { output.append(string: $0) } }
        output.end(entry)
    }

    private mutating func value(_ text: String, _ column: Column, at place: String) throws(FirestoreError) -> Value {
        let place = "\(place), field \(canonical(column))"
        if column.type == .json {
            do throws(FirestoreError) { return try values.value(Array(text.utf8)).value } catch {
                throw .invalidArgument(error.message, at: place)
            }
        }
        if let value = column.type.value(text, in: database) { return value }
        let shown = text.count > 40 ? String(text.prefix(40)) + "…" : text
        let origin = column.isGuessed ? " (guessed from \(sampleText))" : ""
        throw FirestoreError(
            .invalidArgument, "\"\(shown)\" is not \(column.type.description)\(origin)", at: place,
            cause: column.isGuessed ? TransferReason.guessedType(column: column.name) : nil)
    }
}
