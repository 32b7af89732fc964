// SPDX-License-Identifier: Apache-2.0

/// Field paths come in three spellings: dotted strings of the SDK, lists of raw names, and the wire's grammar.
extension PathCheck {
    /// The grammar of path strings in the SDK: split at dots, without escapes (DM-20).
    package static func fieldPath(dotted path: String) throws(FirestoreError) -> FieldPathSegments {
        if let found = path.utf8.first(where: { rejectedInDotted.contains($0) }) {
            throw .invalidArgument(
                "a field path string must not contain \"\(Character(UnicodeScalar(found)))\"; "
                    + "build a FieldPath from a list of names instead",
                at: path)
        }
        let parts = path.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty }) else {
            throw .invalidArgument(
                "a field path must not be empty, begin or end with a dot, or contain two dots in a row", at: path)
        }
        return try fieldPath(segments: parts.map { String(Substring($0)) })
    }

    /// Raw names, in which every character is valid (DM-17).
    package static func fieldPath(segments: [String]) throws(FirestoreError) -> FieldPathSegments {
        guard !segments.isEmpty else {
            throw .invalidArgument("a field path needs at least one name")
        }
        for (index, segment) in segments.enumerated() {
            if segment.utf8.isEmpty {
                throw .invalidArgument("name \(index + 1) of the field path is empty; names have at least one character")
            }
        }
        let path = FieldPathSegments(segments)
        if path.storageLength > Limits.nameBytes {
            throw .invalidArgument("the field path is longer than \(Limits.nameBytes) bytes of UTF-8; shorten it")
        }
        return path
    }

    /// The grammar of paths on the wire, strictly (DM-18, DM-19).
    package static func fieldPath(wire path: String) throws(FirestoreError) -> FieldPathSegments {
        var parser = WireFieldPathParser(path)
        guard let segments = parser.parse() else {
            throw .invalidArgument(
                "the field path is malformed; names that are not simple identifiers must be enclosed in back-ticks", at: path)
        }
        return try fieldPath(segments: segments)
    }

    /// The grammar of paths in pipelines: that of the wire, in which names may also begin with a digit.
    package static func fieldPath(lenient path: String) throws(FirestoreError) -> FieldPathSegments {
        if let segments = WireFieldPathParser(path, isLenient: true).segments { return try fieldPath(segments: segments) }
        return try fieldPath(wire: path)
    }

    /// For masks and transforms: no segment may be reserved, including `__name__` (WR-9, WR-39).
    package static func checkWritable(_ path: FieldPathSegments) throws(FirestoreError) {
        for segment in path.segments {
            if let violation = withBytes(segment, NameRules.fieldName) {
                throw .invalidArgument("a name in the field path \(path.quoted) \(violation.explanation)")
            }
        }
        if path.storageLength > Limits.nameBytes {
            throw .invalidArgument(
                "the field path \(path.quoted) is longer than \(Limits.nameBytes) bytes of UTF-8; shorten it")
        }
    }

    private static let rejectedInDotted = Set("~*/[]".utf8)
}

extension FieldPathSegments {
    /// Bytes of the names joined by dots.
    var storageLength: Int { segments.reduce(segments.count - 1) { $0 + $1.utf8.count } }
}

/// Reads `a.b` and `` a.`b.c` ``; a back-slash inside back-ticks takes the next character literally.
private struct WireFieldPathParser {
    private var rest: Substring.UTF8View
    private let isLenient: Bool

    init(_ path: String, isLenient: Bool = false) {
        rest = path[...].utf8
        self.isLenient = isLenient
    }

    var segments: [String]? {
        var copy = self
        return copy.parse()
    }

    mutating func parse() -> [String]? {
        var segments: [String] = []
        repeat {
            guard let segment = rest.first == UInt8(ascii: "`") ? quoted() : identifier(), !segment.isEmpty else {
                return nil
            }
            segments.append(segment)
        } while take(UInt8(ascii: "."))
        return rest.isEmpty ? segments : nil
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func identifier() -> String? {
        let segment = rest.prefix { $0 != UInt8(ascii: ".") }
        rest = rest[segment.endIndex...]
        let name = String(Substring(segment))
        return FieldPathSegments.isSimpleIdentifier(isLenient ? "_" + name : name) ? name : nil
    }

    private mutating func quoted() -> String? {
        guard take(UInt8(ascii: "`")) else { return nil }
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "`"): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                bytes.append(escaped)
            default: bytes.append(byte)
            }
        }
        return nil
    }
}
