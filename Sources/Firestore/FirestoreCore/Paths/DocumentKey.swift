// SPDX-License-Identifier: Apache-2.0

/// A project and a database in it: the `projects/{project}/databases/{database}` of every resource name (DM-1).
package struct DatabaseID: Hashable, Sendable {
    package var projectID: String
    package var databaseID: String

    package static let defaultDatabase = "(default)"
    /// The project of apps and commands that do not name one.
    package static let fallbackProject = "demo-hearth"

    package init(projectID: String, databaseID: String = DatabaseID.defaultDatabase) {
        self.projectID = projectID
        self.databaseID = databaseID
    }

    /// `projects/P/databases/D/documents/`
    package var documentsPrefix: String { "projects/\(projectID)/databases/\(databaseID)/documents/" }

    /// The full resource name of a document.
    package func name(of key: DocumentKey) -> String {
        // Each row of a result has one. It is written in place, once its length is known.
        let parts = ("projects/", projectID, "/databases/", databaseID, "/documents/", key.path)
        let count = parts.0.utf8.count + parts.1.utf8.count + parts.2.utf8.count + parts.3.utf8.count + parts.4.utf8.count
            + parts.5.utf8.count
        return String(unsafeUninitializedCapacity: count) { name in
            var end = 0
            func append(_ part: String) {
                var part = part
                end += part.withUTF8 { name[end...].initialize(fromContentsOf: $0) } - end
            }
            append(parts.0)
            append(parts.1)
            append(parts.2)
            append(parts.3)
            append(parts.4)
            append(parts.5)
            return end
        }
    }
}

/// Names a document inside a database: its slash-separated path, `cities/SF/landmarks/bridge`.
///
/// Segments cannot contain a slash, so the joined path is unambiguous. Equality and hash use UTF-8 bytes: composed and
/// decomposed spellings are different documents (DM-7). `<` is the `__name__` order (VAL-14).
package struct DocumentKey: Sendable {
    package let path: String

    /// Assumes an even number of valid segments; `PathCheck` makes keys from unchecked strings.
    @inlinable package init(trusted path: String) { self.path = path }

    package init(collection: CollectionPath, id: String) { path = collection.path + "/" + id }

    /// From the UTF-8 of an id, in one allocation: a query makes a key of each row.
    package init(collection: CollectionPath, id: UnsafeRawBufferPointer) {
        var collection = collection.path
        path = collection.withUTF8 { collection in
            String(unsafeUninitializedCapacity: collection.count + 1 + id.count) { bytes in
                var end = bytes.update(fromContentsOf: collection)
                bytes[end] = UInt8(ascii: "/")
                end += 1
                UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(bytes)[end...]).copyMemory(from: id)
                return end + id.count
            }
        }
    }

    /// The last segment.
    package var id: String {
        guard let slash = path.lastSlash else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }

    /// The collection that contains the document.
    package var collection: CollectionPath {
        guard let slash = path.lastSlash else { return CollectionPath(trusted: "") }
        return CollectionPath(trusted: String(path[..<slash]))
    }
}

/// Names a collection inside a database: an odd number of segments, `cities/SF/landmarks`.
package struct CollectionPath: Sendable {
    package let path: String

    @inlinable package init(trusted path: String) { self.path = path }

    package init(parent: DocumentKey?, id: String) { path = parent.map { $0.path + "/" + id } ?? id }

    /// The last segment, which names the collection group.
    package var id: String { DocumentKey(trusted: path).id }

    /// The document above; nil at the root.
    package var parent: DocumentKey? {
        guard let slash = path.lastSlash else { return nil }
        return DocumentKey(trusted: String(path[..<slash]))
    }
}

extension DocumentKey: Hashable, Comparable, CustomStringConvertible {
    package static func == (left: DocumentKey, right: DocumentKey) -> Bool {
        equalUTF8(left.path, right.path)
    }
    package func hash(into hasher: inout Hasher) { hashUTF8(path, into: &hasher) }
    package static func < (left: DocumentKey, right: DocumentKey) -> Bool {
        PathOrdering.compare(left.path, right.path) < 0
    }
    package var description: String { path }
}

extension CollectionPath: Hashable, CustomStringConvertible {
    package static func == (left: CollectionPath, right: CollectionPath) -> Bool {
        equalUTF8(left.path, right.path)
    }
    package func hash(into hasher: inout Hasher) { hashUTF8(path, into: &hasher) }
    package var description: String { path }
}

package func hashUTF8(_ string: String, into hasher: inout Hasher) {
    var string = string
    string.withUTF8 { utf8 in
        WorkCounter.add(1 + utf8.count >> 6)
        hasher.combine(bytes: UnsafeRawBufferPointer(utf8))
    }
}

/// The order of paths: segment by segment, shorter first on a common prefix (VAL-13, VAL-14).
package enum PathOrdering {
    package static func compare(_ left: String, _ right: String) -> Int {
        var left = left
        var right = right
        return left.withUTF8 { left in
            right.withUTF8 { right in compare(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right)) }
        }
    }

    /// Compares two paths given as UTF-8 bytes, for full resource names in stored references.
    package static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let slash = UInt8(ascii: "/")
        var (leftStart, rightStart) = (0, 0)
        while true {
            let leftEnd = left[leftStart...].firstIndex(of: slash) ?? left.count
            let rightEnd = right[rightStart...].firstIndex(of: slash) ?? right.count
            let order = compareSegment(
                UnsafeRawBufferPointer(rebasing: left[leftStart..<leftEnd]),
                UnsafeRawBufferPointer(rebasing: right[rightStart..<rightEnd]))
            if order != 0 { return order }
            if leftEnd == left.count || rightEnd == right.count {
                return (leftEnd == left.count ? 0 : 1) - (rightEnd == right.count ? 0 : 1)
            }
            (leftStart, rightStart) = (leftEnd + 1, rightEnd + 1)
        }
    }

    /// Numeric ids (`__id7__`) come before all other ids and sort by number (VAL-14, DM-6).
    static func compareSegment(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        switch (numericID(left), numericID(right)) {
        case (let left?, let right?): return left < right ? -1 : (left == right ? 0 : 1)
        case (.some, nil): return -1
        case (nil, .some): return 1
        case (nil, nil): return compareBytes(left, right)
        }
    }

    /// The N of `__id<N>__`, if the segment is a numeric id in canonical decimal form.
    package static func numericID(_ segment: UnsafeRawBufferPointer) -> Int64? {
        guard segment.count > 6, segment.prefix(4).elementsEqual("__id".utf8), segment.suffix(2).elementsEqual("__".utf8)
        else { return nil }
        let digits = segment[4..<(segment.count - 2)]
        let text = String(decoding: digits, as: UTF8.self)
        guard let number = Int64(text), String(number) == text else { return nil }
        return number
    }
}

extension String {
    /// Before the last segment of a path.
    fileprivate var lastSlash: Index? {
        let slash = UInt8(ascii: "/")
        let offset = utf8.withContiguousStorageIfAvailable { $0.lastIndex(of: slash) }
        return if let offset { offset.map { utf8.index(startIndex, offsetBy: $0) } } else { utf8.lastIndex(of: slash) }
    }
}
