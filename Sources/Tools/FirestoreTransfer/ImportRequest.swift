// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The documents that an import reads, and their format.
package struct ImportRequest: Sendable {
    /// A file, plain or compressed with gzip, a folder, or `-` for standard input.
    package var path: String
    /// nil: determined by the name and the content.
    package var format: FileFormat?
    package var form: DocumentForm
    /// The types of CSV columns.
    package var types: [(column: String, type: ColumnType)]
    /// Called with each choice that the request left open.
    package var onNote: @Sendable (ImportNote) -> Void
    /// The separator of the cells of CSV; nil: the most frequent one in the first row.
    package var delimiter: CSVDelimiter?

    package init(
        _ path: String, format: FileFormat? = nil, form: DocumentForm = .documents, types: [(column: String, type: ColumnType)] = [],
        delimiter: CSVDelimiter? = nil, onNote: @escaping @Sendable (ImportNote) -> Void = { _ in }
    ) {
        self.path = path
        self.format = format
        self.form = form
        self.types = types
        self.delimiter = delimiter
        self.onNote = onNote
    }

    /// Opens the input. References that do not name a database refer to `database`.
    package func open(in database: DatabaseID) throws(FirestoreError) -> any DocumentInput {
        if case .documents = form, format == .emulator || format == nil && FileFormat.isExport(path) {
            return try ExportFolderInput(path, database: database)
        }
        return try open(try InputFile(path), in: database)
    }

    /// Opens what arrives from elsewhere; `path` is its name then, from which its format may follow.
    package func open(_ source: any ByteSource, in database: DatabaseID) throws(FirestoreError) -> any DocumentInput {
        let file = try PeekedSource(source) { $0.count >= 2 }
        let content: any ByteSource = GzipSource.isGzip(file.beginning) ? try GzipSource(file) : file
        let peeked = try PeekedSource(content) { FileFormat.firstToken(of: $0) != nil }
        guard let format = format ?? FileFormat(name: path, beginning: peeked.beginning) else {
            throw FirestoreError(
                .invalidArgument, "the file is neither JSON nor named .csv", at: peeked.name, cause: TransferReason.unknownFormat)
        }
        guard types.isEmpty || format == .csv else {
            throw FirestoreError(
                .invalidArgument, "only columns of CSV have types; in JSON the value determines its type", at: peeked.name,
                cause: TransferReason.typesWithoutColumns)
        }
        guard delimiter == nil || format == .csv else {
            throw FirestoreError(
                .invalidArgument, "only cells of CSV have a delimiter", at: peeked.name, cause: TransferReason.delimiterWithoutColumns)
        }
        let input = try documents(of: peeked, format, in: database)
        if case .fields(_, let idField) = form {
            if let idField { return DistinctInput(input, idField: idField, onNote: onNote) }
            onNote(.newIDs)
        }
        return input
    }

    private func documents(
        of source: any ByteSource, _ format: FileFormat, in database: DatabaseID
    ) throws(FirestoreError) -> any DocumentInput {
        switch format {
        case .jsonl: return JSONLinesInput(source, form: form, database: database, onNote: onNote)
        case .json: return JSONObjectsInput(source, form: form, database: database, onNote: onNote)
        case .csv:
            guard case .fields(let collection, let idField) = form else { throw .csvWithoutCollection(source.name) }
            let isTabs = path.lowercased().hasSuffix(".tsv") || path.lowercased().hasSuffix(".tsv.gz")
            let input = try CSVInput(
                source, collection: collection, idField: idField, types: types, delimiter: delimiter ?? (isTabs ? .tab : nil),
                database: database)
            for note in input.notes { onNote(note) }
            return input
        case .emulator:
            throw FirestoreError(
                .invalidArgument, "an export contains documents with their paths", at: path, cause: TransferReason.collectionOfExport)
        }
    }
}
