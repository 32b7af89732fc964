// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Resource names (DM-1): `projects/P/databases/D`, `…/documents` and `…/documents/…`.
enum ResourceName {
    /// `projects/P/databases/D`
    static func database(_ name: ByteSlice) throws(FirestoreError) -> DatabaseID {
        let (database, rest) = try split(name)
        guard rest.isEmpty else { throw malformed(name, "projects/{project}/databases/{database}") }
        return database
    }

    /// `projects/P/databases/D/documents/…`: a document.
    static func document(_ name: ByteSlice) throws(FirestoreError) -> (database: DatabaseID, key: DocumentKey) {
        let (database, rest) = try split(name)
        guard rest.count > 1, isDocuments(rest[0]) else {
            throw malformed(name, "projects/{project}/databases/{database}/documents/{collection}/{document}")
        }
        return (database, try key(name, from: rest[1]))
    }

    /// `projects/P/databases/D/documents` or a document: nil represents the root.
    static func parent(_ name: ByteSlice) throws(FirestoreError) -> (database: DatabaseID, key: DocumentKey?) {
        let (database, rest) = try split(name)
        guard let first = rest.first, isDocuments(first) else {
            throw malformed(name, "projects/{project}/databases/{database}/documents, or a document")
        }
        return (database, rest.count == 1 ? nil : try key(name, from: rest[1]))
    }

    private static func isDocuments(_ segment: Range<Int>) -> Bool { segment.count == documents.utf8.count }

    private static let documents = "documents"

    /// The database, and the range of the further segments, of which the first is `documents`.
    private static func split(_ name: ByteSlice) throws(FirestoreError) -> (DatabaseID, [Range<Int>]) {
        let expected = "projects/{project}/databases/{database}/documents/…"
        guard !name.isEmpty else { throw .invalidArgument("the request names no database: \(expected) is expected") }
        defer { withExtendedLifetime(name) {} }
        let bytes = name.buffer
        guard isValidUTF8(bytes) else { throw .invalidArgument("a resource name is not valid UTF-8") }
        var segments: [Range<Int>] = []
        var start = 0
        while segments.count < 5, start <= bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
            segments.append(start..<end)
            start = end + 1
        }
        func isWord(_ index: Int, _ word: String) -> Bool { bytes[segments[index]].elementsEqual(word.utf8) }
        guard segments.count >= 4, isWord(0, "projects"), isWord(2, "databases"), !segments[1].isEmpty, !segments[3].isEmpty,
            segments.count == 4 || isWord(4, documents)
        else { throw malformed(name, expected) }
        let database = DatabaseID(
            projectID: String(decoding: bytes[segments[1]], as: UTF8.self),
            databaseID: String(decoding: bytes[segments[3]], as: UTF8.self))
        var rest = Array(segments.dropFirst(4))
        if start <= bytes.count { rest.append(start..<bytes.count) }
        return (database, rest)
    }

    private static func key(_ name: ByteSlice, from range: Range<Int>) throws(FirestoreError) -> DocumentKey {
        defer { withExtendedLifetime(name) {} }
        let key = DocumentKey(trusted: String(decoding: name.buffer[range], as: UTF8.self))
        try PathCheck.check(key)
        return key
    }

    private static func malformed(_ name: ByteSlice, _ expected: String) -> FirestoreError {
        let shown = name.withUnsafeBytes { String(decoding: $0.prefix(Limits.nameBytes), as: UTF8.self) }
        return .invalidArgument("the resource name is malformed: \(expected) is expected", at: shown)
    }
}

/// Makes keys of names that must all be in one database (DM-4).
struct DocumentNames {
    let database: DatabaseID
    private let prefix: [UInt8]

    init(in database: DatabaseID) {
        self.database = database
        prefix = Array(database.documentsPrefix.utf8)
    }

    func key(_ name: ByteSlice) throws(FirestoreError) -> DocumentKey {
        defer { withExtendedLifetime(name) {} }
        let bytes = name.buffer
        guard bytes.count > prefix.count, bytes.prefix(prefix.count).elementsEqual(prefix) else {
            let (other, _) = try ResourceName.document(name)
            throw .invalidArgument(
                "the request is for database \(database.projectID)/\(database.databaseID) and names a document of "
                    + "\(other.projectID)/\(other.databaseID); send each its own request")
        }
        let path = UnsafeRawBufferPointer(rebasing: bytes[prefix.count...])
        guard isValidUTF8(path) else { throw .invalidArgument("a resource name is not valid UTF-8") }
        let key = DocumentKey(trusted: String(decoding: path, as: UTF8.self))
        try PathCheck.check(key)
        return key
    }

    /// Parses a document name of an answer, which also names its database.
    static func key(_ name: ByteSlice, database: inout DatabaseID) throws(FirestoreError) -> DocumentKey {
        let (found, key) = try ResourceName.document(name)
        database = found
        return key
    }
}

extension DatabaseID {
    /// The database of an answer in which nothing has a name.
    static let unnamed = DatabaseID(projectID: "", databaseID: "")
}

extension ReverseWriter {
    /// `projects/P/databases/D`
    mutating func databaseName(_ number: Int, _ database: DatabaseID) {
        let mark = count
        prefix(database)
        close(number, since: mark)
    }

    private mutating func prefix(_ database: DatabaseID) {
        raw(database.databaseID)
        raw("/databases/")
        raw(database.projectID)
        raw("projects/")
    }

    /// The full name of a document; written even as a member of a oneof.
    mutating func documentName(_ number: Int, _ database: DatabaseID, _ key: DocumentKey) {
        let mark = count
        raw(key.path)
        raw("/documents/")
        prefix(database)
        close(number, since: mark)
    }

    /// The name of a document, or `…/documents`.
    mutating func parentName(_ number: Int, _ database: DatabaseID, _ key: DocumentKey?) {
        if let key { return documentName(number, database, key) }
        let mark = count
        raw("/documents")
        prefix(database)
        close(number, since: mark)
    }
}
