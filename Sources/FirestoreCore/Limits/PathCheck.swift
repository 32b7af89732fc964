/// Makes keys and paths from what people type, and refuses what Firestore refuses (DM-5 … DM-10).
///
/// One leading and one trailing slash are tolerated. Every failure is `invalidArgument`.
package enum PathCheck {
    package static func documentKey(_ path: String) throws(FirestoreError) -> DocumentKey {
        let key = DocumentKey(trusted: trimmed(path))
        try check(key)
        return key
    }

    package static func collectionPath(_ path: String) throws(FirestoreError) -> CollectionPath {
        let collection = CollectionPath(trusted: trimmed(path))
        try check(collection)
        return collection
    }

    /// The id of a collection, without slashes: what a collection group goes by.
    package static func collectionID(_ id: String) throws(FirestoreError) {
        if let violation = withBytes(id, NameRules.collectionID) {
            throw .invalidArgument("the collection id \(violation.explanation)", at: id)
        }
    }

    package static func documentID(_ id: String) throws(FirestoreError) {
        if let violation = withBytes(id, NameRules.documentID) {
            throw .invalidArgument("the document id \(violation.explanation)", at: id)
        }
    }

    /// Checks a key somebody else put together. Allocates nothing on success.
    package static func check(_ key: DocumentKey) throws(FirestoreError) {
        try check(key.path, wantsDocument: true)
    }

    package static func check(_ collection: CollectionPath) throws(FirestoreError) {
        try check(collection.path, wantsDocument: false)
    }

    private static func trimmed(_ path: String) -> String {
        let slash = UInt8(ascii: "/")
        let utf8 = path.utf8
        var part = utf8[...]
        if part.first == slash { part = part.dropFirst() }
        if part.last == slash { part = part.dropLast() }
        return part.count == utf8.count ? path : String(Substring(part))
    }

    private static func check(_ path: String, wantsDocument: Bool) throws(FirestoreError) {
        switch withBytes(path, { PathProblem(in: $0, wantsDocument: wantsDocument) }) {
        case nil: return
        case .parity?:
            throw .invalidArgument(
                wantsDocument
                    ? "a document path has an even number of segments (collection/document); this one has an odd number"
                    : "a collection path has an odd number of segments; this one has an even number, as documents have",
                at: path)
        case .tooLong?:
            throw .invalidArgument("the path is longer than \(Limits.documentNameBytes) bytes; shorten its ids", at: path)
        case .tooDeep?:
            throw .invalidArgument(
                "subcollections nest at most \(Limits.subcollectionDepth) levels deep; move the data up", at: path)
        case .segment(let number, let violation)?:
            let kind = number % 2 == 1 ? "collection id" : "document id"
            throw .invalidArgument("the \(kind) at segment \(number) \(violation.explanation)", at: path)
        }
    }

    /// The raw bytes of a string; copies only strings that are not native UTF-8.
    @inline(__always)
    static func withBytes<R>(_ string: String, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        var string = string
        return string.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}

/// What is wrong with a path.
enum PathProblem {
    case parity, tooLong, tooDeep
    /// Counted from 1.
    case segment(number: Int, NameRules.Violation)

    /// nil when the path is sound.
    init?(in path: UnsafeRawBufferPointer, wantsDocument: Bool) {
        let slash = UInt8(ascii: "/")
        var number = 0
        var start = 0
        while true {
            let end = path[start...].firstIndex(of: slash) ?? path.count
            number += 1
            let segment = UnsafeRawBufferPointer(rebasing: path[start..<end])
            if let violation = number % 2 == 1 ? NameRules.collectionID(segment) : NameRules.documentID(segment) {
                self = .segment(number: number, violation)
                return
            }
            if end == path.count { break }
            start = end + 1
        }
        guard (number % 2 == 0) == wantsDocument else {
            self = .parity
            return
        }
        // DM-10 counts collections: the hundredth holds documents with 200 segments.
        if (number + 1) / 2 > Limits.subcollectionDepth {
            self = .tooDeep
        } else if path.count > Limits.documentNameBytes {
            self = .tooLong
        } else {
            return nil
        }
    }
}
