// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Field paths in arguments: `address.city`, with names that are not identifiers in back-ticks (DM-18).
enum FieldPathText {
    /// A whole argument.
    static func parse(_ text: String) throws(FirestoreError) -> FieldPathSegments {
        do throws(FirestoreError) {
            return try PathCheck.fieldPath(wire: text)
        } catch {
            throw .invalidArgument("not a field path; enclose names that are not identifiers in back-ticks, as in `a-b`.c", at: text)
        }
    }

    /// Several paths, separated by commas.
    static func list(_ texts: [String]) throws(FirestoreError) -> [FieldPathSegments] {
        var paths: [FieldPathSegments] = []
        for text in texts {
            for part in split(text, at: UInt8(ascii: ",")) { paths.append(try parse(String(part))) }
        }
        return paths
    }

    /// A path and the text after the first separator outside of back-ticks; nil if there is none.
    static func assignment(
        _ text: String, separator: UInt8 = UInt8(ascii: "=")
    ) throws(FirestoreError) -> (path: FieldPathSegments, rest: Substring)? {
        guard let index = end(in: text.utf8[...], where: { $0 == separator }), index < text.utf8.endIndex else { return nil }
        return (try parse(String(text[..<index])), text[text.utf8.index(after: index)...])
    }

    /// The end of a path: the first byte outside of back-ticks for which `isEnd` is true, or the end of the text; nil
    /// if a back-tick is not closed.
    static func end(in text: Substring.UTF8View, where isEnd: (UInt8) -> Bool) -> Substring.UTF8View.Index? {
        var isQuoted = false
        var isEscaped = false
        for index in text.indices {
            let byte = text[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "`") {
                isQuoted.toggle()
            } else if !isQuoted, isEnd(byte) {
                return index
            }
        }
        return isQuoted ? nil : text.endIndex
    }

    private static func split(_ text: String, at separator: UInt8) -> [Substring] {
        var parts: [Substring] = []
        var rest = text.utf8[...]
        while let index = end(in: rest, where: { $0 == separator }) {
            parts.append(Substring(rest[..<index]))
            guard index < rest.endIndex else { return parts }
            rest = rest[rest.index(after: index)...]
        }
        return parts + [Substring(rest)]
    }
}
