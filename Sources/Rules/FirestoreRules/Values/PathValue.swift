// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A path, such as `/databases/(default)/documents/users/alice`.
final class PathValue: Sendable {
    enum Segment: Sendable {
        case literal(String)
        /// A place that `bind` fills: `{name}` or `{name=**}`.
        case capture(String, isGlob: Bool)

        var text: String {
            switch self {
            case .literal(let text): text
            case .capture(let name, let isGlob): isGlob ? "{\(name)=**}" : "{\(name)}"
            }
        }
    }

    let segments: [Segment]
    /// The values that `bind` filled in.
    let bindings: [(name: String, value: RulesValue)]

    init(_ segments: [Segment], bindings: [(name: String, value: RulesValue)] = []) {
        self.segments = segments
        self.bindings = bindings
    }

    convenience init(_ names: [String]) { self.init(names.map { .literal($0) }) }

    var text: String {
        var text = ""
        for segment in segments {
            text += "/"
            text += segment.text
        }
        return text
    }

    /// Reads what `path()` is given (SR-74): a leading slash is optional. Nil if a segment is empty.
    static func reading(_ text: String) -> PathValue? {
        var parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if parts.first?.isEmpty == true, parts.count > 1 { parts.removeFirst() }
        guard !parts.isEmpty, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        return PathValue(parts.map { segment(String(Substring($0))) })
    }

    private static func segment(_ text: String) -> Segment {
        guard text.utf8.first == UInt8(ascii: "{"), text.utf8.last == UInt8(ascii: "}") else { return .literal(text) }
        let inner = text.dropFirst().dropLast()
        let isGlob = inner.utf8.suffix(3).elementsEqual("=**".utf8)
        let name = isGlob ? inner.dropLast(3) : inner
        let isName = name.utf8.first.map(Lexer.isNameStart) == true && name.utf8.allSatisfy(Lexer.isNamePart)
        return isName ? .capture(String(name), isGlob: isGlob) : .literal(text)
    }

    /// The target of a path in a database (SR-84).
    enum Target {
        case document(DocumentKey)
        /// A document that cannot exist, because an id contains a slash or is reserved, or that of a collection is empty.
        case impossible
        case nothing
    }

    func target(in database: String) -> Target {
        guard segments.count >= 5, segments.count % 2 == 1 else { return .nothing }
        var path = ""
        for (index, segment) in segments.enumerated() {
            guard case .literal(let text) = segment else { return .nothing }
            switch index {
            case 0: guard equalUTF8(text, "databases") else { return .nothing }
            // The default database can be named without its id.
            case 1: guard equalUTF8(text.isEmpty ? "(default)" : text, database) else { return .nothing }
            case 2: guard equalUTF8(text, "documents") else { return .nothing }
            default:
                let isDocument = index % 2 == 0
                guard !isDocument || !text.isEmpty else { return .nothing }
                if index > 3 { path += "/" }
                path += text
            }
        }
        // A slash inside a segment would name another document.
        let slashes = path.withUTF8 { text in text.reduce(0) { $1 == UInt8(ascii: "/") ? $0 + 1 : $0 } }
        guard slashes == segments.count - 4 else { return .impossible }
        let key = DocumentKey(trusted: path)
        do {
            try PathCheck.check(key)
            return .document(key)
        } catch {
            return .impossible
        }
    }

    static func equal(_ left: PathValue, _ right: PathValue) -> Bool {
        left.segments.count == right.segments.count
            && zip(left.segments, right.segments).allSatisfy { pair in equalUTF8(pair.0.text, pair.1.text) }
    }
}
