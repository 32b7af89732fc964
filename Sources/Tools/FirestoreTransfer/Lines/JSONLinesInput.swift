// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Documents from a file with one JSON object per line.
package struct JSONLinesInput: DocumentInput {
    private let lines: LineReader
    private var documents: DocumentReader

    package init(
        _ file: any ByteSource, form: DocumentForm, database: DatabaseID, makeID: @escaping () -> String = { AutoID.make() }
    ) {
        lines = LineReader(file)
        documents = DocumentReader(form, database: database, makeID: makeID)
    }

    package var bytesRead: Int64 { lines.bytesRead }
    package var size: Int64? { lines.fileSize }

    /// Empty lines are skipped.
    package mutating func next() throws(FirestoreError) -> ImportItem? {
        while true {
            let number = lines.number + 1
            let found = try lines.next { line -> Result<TransferredDocument, FirestoreError>? in
                switch line {
                case .tooLong:
                    return .failure(.invalidArgument("the line is longer than \(LineReader.maximumLine) bytes", at: "line \(number)"))
                case .text(let text):
                    if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return nil }
                    return Result { () throws(FirestoreError) in try documents.document(text, line: number) }
                }
            }
            // The file has ended, or the line is empty.
            guard let found else { return nil }
            guard let content = found else { continue }
            let name = lines.fileName
            return ImportItem(ImportPlace(file: name, .line(number)), content.mapError { $0.inside(name) })
        }
    }
}
