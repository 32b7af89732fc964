// SPDX-License-Identifier: Apache-2.0

/// The path to a field: the raw names from the document down, parsed only once.
///
/// (The public class is `FieldPath`.) Equality and hash use UTF-8 bytes.
package struct FieldPathSegments: Sendable {
    package let segments: [String]

    /// At least one segment, none empty; `PathCheck` makes paths from unchecked strings.
    package init(_ segments: [String]) {
        precondition(!segments.isEmpty, "a field path needs at least one segment")
        self.segments = segments
    }

    package init(_ name: String) { self.init([name]) }

    /// The document key as a pseudo-field: `__name__` (DM-21).
    package static let documentID = FieldPathSegments("__name__")

    package var isDocumentID: Bool { segments.count == 1 && equalUTF8(segments[0], "__name__") }

    package func appending(_ name: String) -> FieldPathSegments { FieldPathSegments(segments + [name]) }

    package func isPrefix(of other: FieldPathSegments) -> Bool {
        segments.count <= other.segments.count
            && zip(segments, other.segments).allSatisfy { equalUTF8($0, $1) }
    }

    /// The canonical spelling: joined by dots, segments that are not simple identifiers in back-ticks (DM-18).
    package var canonical: String {
        segments.map { segment in
            guard !Self.isSimpleIdentifier(segment) else { return segment }
            var quoted = "`"
            for character in segment.unicodeScalars {
                if character == "\\" || character == "`" { quoted.append("\\") }
                quoted.unicodeScalars.append(character)
            }
            return quoted + "`"
        }.joined(separator: ".")
    }

    static func isSimpleIdentifier(_ segment: String) -> Bool {
        guard let first = segment.utf8.first else { return false }
        func isLetter(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "_")
        }
        return isLetter(first)
            && segment.utf8.allSatisfy { isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

extension FieldPathSegments: Hashable, Comparable, CustomStringConvertible {
    package static func == (left: FieldPathSegments, right: FieldPathSegments) -> Bool {
        guard left.segments.count == right.segments.count else { return false }
        for place in left.segments.indices where !equalUTF8(left.segments[place], right.segments[place]) { return false }
        return true
    }
    package func hash(into hasher: inout Hasher) {
        // Lengths too: a name may contain any byte, and paths that are cut in different places must not share one hash.
        for segment in segments {
            hasher.combine(segment.utf8.count)
            hashUTF8(segment, into: &hasher)
        }
    }
    /// Lexicographic by segments, each by UTF-8 bytes: the order of implicit sort orders (QR-28).
    package static func < (left: FieldPathSegments, right: FieldPathSegments) -> Bool {
        for (l, r) in zip(left.segments, right.segments) {
            let order = compareUTF8(l, r)
            if order != 0 { return order < 0 }
        }
        return left.segments.count < right.segments.count
    }
    package var description: String { canonical }
}
