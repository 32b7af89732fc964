// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A pattern of document paths with named parts, `orders/{order}/items/{item}`.
///
/// `{name}` matches one segment and `{name=**}` any number of them, none included. Without names these are `*` and `**`. Matching compares
/// UTF-8 bytes.
package struct DocumentPattern: Sendable, Equatable, CustomStringConvertible {
    private enum Segment: Sendable, Equatable {
        case text(String)
        /// The name is empty for `*`.
        case one(String)
        case several(String)
    }

    private let segments: [Segment]
    /// The place of the segment that matches several, if there is one.
    private let several: Int?
    package let description: String

    /// Fails with `invalidArgument` for a text that is not a pattern, or that no document path matches.
    package init(_ text: String) throws(FirestoreError) {
        description = text
        var (segments, names) = ([Segment](), [String]())
        for part in text.split(separator: "/", omittingEmptySubsequences: false) {
            segments.append(try Self.segment(String(part), of: text, names: &names))
        }
        let several = segments.indices.filter { if case .several = segments[$0] { true } else { false } }
        guard several.count <= 1 else { throw Self.mistake(text, "only one part may match several segments") }
        guard !several.isEmpty || segments.count.isMultiple(of: 2) else {
            throw Self.mistake(
                text, "it matches collections, not documents: a document path has an even number of segments, such as \(text)/{document}")
        }
        self.segments = segments
        self.several = several.first
    }

    private static func segment(_ part: String, of text: String, names: inout [String]) throws(FirestoreError) -> Segment {
        if part.isEmpty { throw mistake(text, "a segment is empty; it has no slash at its beginning or end, and no two in a row") }
        if part == "*" { return .one("") }
        if part == "**" { return .several("") }
        guard part.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "*") }) else {
            return .text(part)
        }
        guard part.hasPrefix("{"), part.hasSuffix("}") else {
            throw mistake(text, "\"\(part)\" is neither a name nor a parameter; a parameter is a whole segment, such as {order}")
        }
        let inner = part.dropFirst().dropLast().split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = inner[0]
        guard let first = name.utf8.first, isLetter(first), name.utf8.allSatisfy({ isLetter($0) || isDigit($0) }) else {
            throw mistake(text, "\"\(name)\" is not the name of a parameter, which has letters, digits and underscores")
        }
        guard !names.contains(name) else { throw mistake(text, "two parameters are named \"\(name)\"") }
        names.append(name)
        switch inner.count == 2 ? inner[1] : "*" {
        case "*": return .one(name)
        case "**": return .several(name)
        default: throw mistake(text, "{\(name)} matches one segment, {\(name)=**} several; nothing else can follow the equals sign")
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func mistake(_ text: String, _ what: String) -> FirestoreError {
        .invalidArgument("\"\(text)\" is not a pattern of document paths: \(what)")
    }

    // MARK: Matching

    /// The values of the parameters; nil if the path does not match.
    package func match(_ key: DocumentKey) -> [String: String]? {
        let path = key.path.utf8.split(separator: UInt8(ascii: "/"))
        guard let several else { return match(path[...], segments[...]) }
        let behind = segments.count - several - 1
        guard path.count >= several + behind,
            var found = match(path[..<several], segments[..<several]),
            let rest = match(path[(path.count - behind)...], segments[(several + 1)...])
        else { return nil }
        found.merge(rest) { $1 }
        if case .several(let name) = segments[several], !name.isEmpty {
            found[name] = path[several..<(path.count - behind)].map { String(Substring($0)) }.joined(separator: "/")
        }
        return found
    }

    private func match(_ path: ArraySlice<Substring.UTF8View>, _ segments: ArraySlice<Segment>) -> [String: String]? {
        guard path.count == segments.count else { return nil }
        var found: [String: String] = [:]
        for (part, segment) in zip(path, segments) {
            switch segment {
            case .text(let text): guard part.elementsEqual(text.utf8) else { return nil }
            case .one(let name): if !name.isEmpty { found[name] = String(Substring(part)) }
            case .several: return nil
            }
        }
        return found
    }
}
