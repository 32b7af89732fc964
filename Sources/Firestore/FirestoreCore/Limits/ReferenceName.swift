// SPDX-License-Identifier: Apache-2.0

/// The parts of a full document name `projects/P/databases/D/documents/…`, read in place (DM-1, VAL-25).
package struct ReferenceName {
    package let project: UnsafeRawBufferPointer
    package let database: UnsafeRawBufferPointer
    /// The document's path inside its database.
    package let path: UnsafeRawBufferPointer

    /// nil if the bytes are not the full name of a document.
    package init?(_ name: UnsafeRawBufferPointer) {
        var rest = name[...]
        guard Self.take("projects", from: &rest), let project = Self.segment(from: &rest),
            Self.take("databases", from: &rest), let database = Self.segment(from: &rest),
            Self.take("documents", from: &rest)
        else { return nil }
        let path = UnsafeRawBufferPointer(rebasing: rest)
        guard !project.isEmpty, !database.isEmpty, PathProblem(in: path, wantsDocument: true) == nil else { return nil }
        self.project = project
        self.database = database
        self.path = path
    }

    package func isIn(_ database: DatabaseID) -> Bool {
        Self.isEqual(project, database.projectID) && Self.isEqual(self.database, database.databaseID)
    }

    private static func isEqual(_ bytes: UnsafeRawBufferPointer, _ text: String) -> Bool {
        var text = text
        return text.withUTF8 { compareBytes(bytes, UnsafeRawBufferPointer($0)) == 0 }
    }

    package var key: DocumentKey { DocumentKey(trusted: String(decoding: path, as: UTF8.self)) }

    private static func segment(from rest: inout Slice<UnsafeRawBufferPointer>) -> UnsafeRawBufferPointer? {
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        defer { rest = rest[(slash + 1)...] }
        return UnsafeRawBufferPointer(rebasing: rest[..<slash])
    }

    private static func take(_ word: StaticString, from rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        guard let segment = segment(from: &rest) else { return false }
        return compareBytes(segment, UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)) == 0
    }
}

extension DocumentKey {
    /// The key of a document by its full name; nil for one of another database.
    package init?(name: String, in database: DatabaseID) {
        var name = name
        let key = name.withUTF8 { bytes -> DocumentKey? in
            guard let reference = ReferenceName(UnsafeRawBufferPointer(bytes)), reference.isIn(database) else { return nil }
            return reference.key
        }
        guard let key else { return nil }
        self = key
    }
}
