// SPDX-License-Identifier: Apache-2.0

/// Makes keys and paths from strings, and rejects what Firestore rejects (DM-5 … DM-10).
///
/// One leading and one trailing slash are accepted. Every failure is `invalidArgument`.
package enum PathCheck {
    package static func documentKey(_ path: String) throws(FirestoreError) -> DocumentKey {
        let key = DocumentKey(trusted: trimmed(path))
        try check(key.path, wantsDocument: true, written: path)
        return key
    }

    package static func collectionPath(_ path: String) throws(FirestoreError) -> CollectionPath {
        let collection = CollectionPath(trusted: trimmed(path))
        try check(collection.path, wantsDocument: false, written: path)
        return collection
    }

    /// Whether a path is empty apart from the accepted slashes.
    package static func isEmpty(_ path: String) -> Bool { path.utf8.isEmpty || path.utf8.elementsEqual("/".utf8) }

    /// Checks the id of a collection, without slashes, as it names a collection group.
    package static func collectionID(_ id: String) throws(FirestoreError) {
        if let violation = withBytes(id, NameRules.collectionID) {
            throw .invalidArgument("the collection id \(violation.explanation)", at: id.isEmpty ? nil : id)
        }
    }

    package static func documentID(_ id: String) throws(FirestoreError) {
        if let violation = withBytes(id, NameRules.documentID) {
            throw .invalidArgument("the document id \(violation.explanation)", at: id.isEmpty ? nil : id)
        }
    }

    /// Checks a key that was created elsewhere. Allocates nothing on success.
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

    /// `written`: the path as the caller wrote it, for errors.
    private static func check(_ path: String, wantsDocument: Bool, written: String? = nil) throws(FirestoreError) {
        guard let problem = withBytes(path, { PathProblem(in: $0, wantsDocument: wantsDocument) }) else { return }
        let place = written ?? path
        let kind = wantsDocument ? "document" : "collection"
        switch problem {
        case .parity(let count):
            throw .invalidArgument(
                "a \(kind) path has an \(wantsDocument ? "even" : "odd") number of segments, this one has \(count); it names a "
                    + (wantsDocument ? "collection" : "document"),
                at: place)
        case .tooLong:
            throw .invalidArgument("the path is longer than \(Limits.documentNameBytes) bytes; shorten its ids", at: place)
        case .tooDeep:
            throw .invalidArgument(
                "subcollections nest at most \(Limits.subcollectionDepth) levels deep; move the data up", at: place)
        case .segment(_, .empty) where isEmpty(place):
            throw .invalidArgument(
                "the \(kind) path is empty; name a \(wantsDocument ? "document, as in \"cities/SF\"" : "collection, as in \"cities\"")",
                at: place.isEmpty ? nil : place)
        case .segment(let number, .empty):
            throw .invalidArgument(
                "a path must not contain two slashes in a row, nor more than one at its ends; segment \(number) is empty", at: place)
        case .segment(let number, let violation):
            throw .invalidArgument(
                "the \(number % 2 == 1 ? "collection" : "document") id at segment \(number) \(violation.explanation)", at: place)
        }
    }

    /// The raw bytes of a string; copies only strings that are not native UTF-8.
    @inline(__always)
    static func withBytes<R>(_ string: String, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        var string = string
        return string.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}

/// The reason why a path is invalid.
enum PathProblem {
    /// With the number of segments.
    case parity(Int)
    case tooLong, tooDeep
    /// Counted from 1.
    case segment(number: Int, NameRules.Violation)

    /// nil if the path is valid.
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
            self = .parity(number)
            return
        }
        // DM-10 counts collections: the hundredth contains documents with 200 segments.
        if (number + 1) / 2 > Limits.subcollectionDepth {
            self = .tooDeep
        } else if path.count > Limits.documentNameBytes {
            self = .tooLong
        } else {
            return nil
        }
    }
}
