// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Documents as objects, `{"path": "cities/SF", "fields": {…}}`: the format of `hearth get` and `hearth import`.
extension TypedJSONReader {
    /// A document and its path. Times are accepted and ignored: they belong to the database of the document.
    package mutating func document(_ text: [UInt8], line: Int = 1) throws(FirestoreError) -> TransferredDocument {
        try read(text, line: line) { (reader) throws(JSONProblem) in try reader.wholeDocument() }
    }

    package mutating func document(_ text: UnsafeRawBufferPointer, line: Int = 1) throws(FirestoreError) -> TransferredDocument {
        try read(text, line: line) { (reader) throws(JSONProblem) in try reader.wholeDocument() }
    }

    private mutating func wholeDocument() throws(JSONProblem) -> TransferredDocument {
        guard scanner.take(UInt8(ascii: "{")) else { throw scanner.problem("an object with \"path\" and \"fields\" is expected") }
        var key: DocumentKey?
        var fields: FieldBytes?
        var times: Set<String> = []
        repeat {
            _ = scanner.peek()
            let start = scanner.position
            let name = try text(of: try scanner.name())
            switch name {
            case "path" where key == nil: key = try path()
            case "fields" where fields == nil:
                try documentFields()
                fields = FieldBytes(canonical: takeBytes())
            case "createTime", "updateTime", "readTime":
                guard times.insert(name).inserted else { throw JSONProblem("a member occurs twice", at: start) }
                try scanner.skipValue(levels: 1)
            case "path", "fields": throw JSONProblem("a member occurs twice", at: start)
            default:
                throw JSONProblem(
                    "a document has \"path\" and \"fields\", optionally \"createTime\", \"updateTime\" and \"readTime\", and nothing else",
                    at: start)
            }
        } while scanner.take(UInt8(ascii: ","))
        guard scanner.take(UInt8(ascii: "}")) else { throw scanner.problem("a comma or a brace is missing") }
        try scanner.end()
        guard let key else { throw scanner.problem("\"path\" is missing") }
        guard let fields else { throw scanner.problem("\"fields\" is missing") }
        return TransferredDocument(key: key, fields: fields)
    }

    private mutating func path() throws(JSONProblem) -> DocumentKey {
        guard scanner.peek() == UInt8(ascii: "\"") else { throw scanner.problem("a string with the path of a document is expected") }
        let start = scanner.position
        let text = try text(of: try scanner.string())
        do throws(FirestoreError) {
            return try PathCheck.documentKey(text)
        } catch {
            throw JSONProblem(error.message, at: start)
        }
    }
}
