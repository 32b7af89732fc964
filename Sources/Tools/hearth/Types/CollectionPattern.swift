// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The documents of a collection or a group, among others of a file; and the collections below them.
struct CollectionPattern: Sendable {
    /// The collection's path; for a group the collection id.
    let text: String
    /// For a group: whether the document lies below this one; nil for anywhere.
    let parent: DocumentKey?
    let isGroup: Bool
    private let prefix: [UInt8]

    init(_ text: String, isGroup: Bool) throws(FirestoreError) {
        if isGroup, !text.utf8.contains(UInt8(ascii: "/")) {
            try PathCheck.collectionID(text)
            (self.text, parent) = (text, nil)
        } else {
            let path = try PathCheck.collectionPath(text)
            (self.text, parent) = isGroup ? (path.id, path.parent) : (path.path, nil)
        }
        self.isGroup = isGroup
        prefix = Array((isGroup ? parent.map { $0.path + "/" } ?? "" : text + "/").utf8)
    }

    enum Match: Equatable {
        /// A document of the collection, with the name for messages: its id, or in a group its path.
        case document(String)
        /// A document below one of the collection; its collection with `*` instead of ids.
        case below(String)
        case other
    }

    func match(_ key: DocumentKey) -> Match {
        let path = key.path.utf8
        guard path.starts(with: prefix) else { return .other }
        guard isGroup else {
            let rest = path.dropFirst(prefix.count)
            guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return .document(String(key.path[rest.startIndex...])) }
            return below(key.path[rest.index(after: slash)...], "\(text)/*/")
        }
        if equalUTF8(key.collection.id, text) { return .document(key.path) }
        // Below a document of the group: `…/landmarks/bridge/reviews/r1`.
        let segments = key.path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: Array($0), as: UTF8.self) }
        let ancestors = stride(from: segments.count - 4, through: 0, by: -2)
        guard let index = ancestors.first(where: { equalUTF8(segments[$0], text) }) else { return .other }
        return below(segments[(index + 2)...].joined(separator: "/")[...], "**/\(text)/*/")
    }

    /// `path`: `landmarks/bridge`, from the collection below on.
    private func below(_ path: Substring, _ prefix: String) -> Match {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        // Only the collections directly below.
        guard segments.count == 2, let id = segments.first else { return .other }
        return .below(prefix + id)
    }
}
