// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Documents from a file with one JSON object per line.
package struct JSONLinesInput: DocumentInput {
    private let lines: LineReader
    private var documents: DocumentReader
    private let onNote: @Sendable (ImportNote) -> Void
    private var pending = PendingItems()
    private var isFirst = true

    package init(
        _ file: any ByteSource, form: DocumentForm, database: DatabaseID, makeID: @escaping () -> String = { AutoID.make() },
        onNote: @escaping @Sendable (ImportNote) -> Void = { _ in }
    ) {
        self.onNote = onNote
        lines = LineReader(file)
        documents = DocumentReader(form, database: database, makeID: makeID)
    }

    package var bytesRead: Int64 { lines.bytesRead }
    package var size: Int64? { lines.fileSize }

    /// Empty lines are skipped.
    package mutating func next() throws(FirestoreError) -> ImportItem? {
        while true {
            if let item = pending.next() { return item }
            let number = lines.number + 1
            let found = try lines.next { line -> [Result<TransferredDocument, FirestoreError>] in
                switch line {
                case .tooLong:
                    return [.failure(.invalidArgument("the line is longer than \(LineReader.maximumLine) bytes", at: "line \(number)"))]
                case .text(let text):
                    if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return [] }
                    return documents.documents(text, line: number)
                }
            }
            // The file has ended.
            guard let found else { return nil }
            pending.add(found, file: lines.fileName, line: number)
            if isFirst, let format = documents.seedFormat { onNote(.recognized(format, file: lines.fileName)) }
            isFirst = isFirst && found.isEmpty && documents.seedFormat == nil
        }
    }
}

/// The items of an object that have not been delivered.
struct PendingItems {
    private var items: [ImportItem] = []
    private var position = 0

    mutating func add(_ contents: [Result<TransferredDocument, FirestoreError>], file: String, line: Int) {
        items = contents.map { ImportItem(ImportPlace(file: file, .line(line)), $0.mapError { $0.inside(file) }) }
        position = 0
    }

    mutating func next() -> ImportItem? {
        guard position < items.count else { return nil }
        defer { position += 1 }
        return items[position]
    }
}
