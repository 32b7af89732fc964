// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Skips through the paths of all collections, from one name to the next: the names directly below a document or a collection,
/// without visiting what lies further below.
///
/// Paths are in byte order, where a slash does not come first: `a-b` lies between `a` and `a/x/b`.
struct NameWalk {
    /// The path of the parent with its slash; empty for the root.
    let prefix: [UInt8]
    private let rows: any NameRows
    private static let slash = UInt8(ascii: "/")
    private static let behindSlash = UInt8(ascii: "0")

    init(below path: String?, in rows: any NameRows) {
        prefix = path.map { [UInt8]($0.utf8) + [Self.slash] } ?? []
        self.rows = rows
    }

    /// The first name after another one, by bytes.
    func next(after last: [UInt8]?) throws(FirestoreError) -> [UInt8]? {
        var lower = prefix + (last.map { $0 + [0] } ?? [])
        while let name = try first(from: lower, upTo: end(of: prefix)) {
            if let last, !last.lexicographicallyPrecedes(name) {
                // Already returned: this path lies below an earlier name.
                lower = prefix + name + [Self.behindSlash]
                continue
            }
            // Paths below a shorter name may come later; such a name is a prefix.
            for count in 1..<max(1, name.count) where name[count] < Self.slash {
                let shorter = Array(name[..<count])
                if let last, !last.lexicographicallyPrecedes(shorter) { continue }
                let below = prefix + shorter + [Self.slash]
                if try first(from: below, upTo: end(of: below)) != nil { return shorter }
            }
            return name
        }
        return nil
    }

    /// Orders after everything that begins with a path and its slash.
    private func end(of prefix: [UInt8]) -> [UInt8] {
        prefix.isEmpty ? [0xFF] : Array(prefix.dropLast()) + [Self.behindSlash]
    }

    private func first(from lower: [UInt8], upTo upper: [UInt8]) throws(FirestoreError) -> [UInt8]? {
        guard let path = try rows.firstPath(from: lower, upTo: upper) else { return nil }
        return path.dropFirst(prefix.count).prefix { $0 != Self.slash }.map(\.self)
    }
}
