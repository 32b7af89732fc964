// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Writes documents into a file with one JSON object per line: `{"path": "cities/SF", "fields": {…}}`.
package final class JSONLinesOutput: DocumentOutput {
    private let file: any ByteTarget
    private var writer: TypedJSONWriter

    package init(_ file: any ByteTarget, database: DatabaseID) {
        self.file = file
        writer = TypedJSONWriter(database: database)
    }

    package var bytesWritten: Int64 { file.position }

    package func write(_ document: TransferredDocument) throws(FirestoreError) {
        writer.removeAll()
        try writer.append(Document(key: document.key, createTime: .none, updateTime: .none, fields: document.fields))
        writer.append(raw: "\n")
        try file.append(writer.bytes)
    }

    package func finish() throws(FirestoreError) { try file.finish() }
}
