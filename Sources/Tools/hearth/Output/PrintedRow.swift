// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTransfer

/// What is printed: a document, or a row of a pipeline's result, which may have nothing but fields.
struct PrintedRow: Sendable {
    /// The path of the document, or its full name if it is in another database.
    var path: String?
    var createTime: DocumentVersion?
    var updateTime: DocumentVersion?
    var fields: FieldBytes

    init(_ document: Document) {
        path = document.key.path
        createTime = document.createTime
        updateTime = document.updateTime
        fields = document.fields
    }

    init(_ row: PipelineRow, in database: DatabaseID) {
        let prefix = database.documentsPrefix.utf8
        path = row.name.map { $0.utf8.starts(with: prefix) ? String(Substring($0.utf8.dropFirst(prefix.count))) : $0 }
        createTime = row.createTime
        updateTime = row.updateTime
        fields = row.fields
    }

    /// For errors.
    var place: String { path ?? "a row of the result" }
}

extension TypedJSONWriter {
    /// Writes `{"path": "cities/SF", "fields": {…}, "createTime": …, "updateTime": …}`, without what the row does not have.
    mutating func append(_ row: PrintedRow, level: Int = 0) throws(FirestoreError) {
        append(raw: "{")
        breakLine(level: level + 1)
        if let path = row.path {
            append(name: "path")
            append(string: path)
            separate(level: level + 1)
        }
        append(name: "fields")
        do throws(FirestoreError) {
            try append(row.fields, level: level + 1)
        } catch {
            throw error.located(at: row.place)
        }
        for (name, time) in [("createTime", row.createTime), ("updateTime", row.updateTime)] {
            if let time { append(member: name, string: time.timestamp.text, level: level) }
        }
        endDocument(level: level)
    }
}

extension PrintedRow {
    /// A field's name as it is written in field paths. Rows of pipelines may have an empty one, which no path has.
    static func title(of field: String) -> String { field.utf8.isEmpty ? "``" : FieldPathSegments(field).canonical }
}
