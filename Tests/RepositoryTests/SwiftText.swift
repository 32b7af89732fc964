// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A Swift file, parsed far enough to distinguish comments from strings.
struct SwiftText {
    enum Place {
        case comment, documentation, string, code
    }

    private let bytes: [UInt8]
    /// Where literals of several lines begin and end.
    private let tripleQuotes: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var triples: [Int] = []
        for quote in ByteScan.offsets(of: UInt8(ascii: "\""), in: bytes)
        where ByteScan.isByte("\"", bytes, at: quote + 1) && ByteScan.isByte("\"", bytes, at: quote + 2) {
            if triples.last.map({ quote >= $0 + 3 }) ?? true { triples.append(quote) }
        }
        tripleQuotes = triples
    }

    init(_ text: String) { self.init(Array(text.utf8)) }

    /// The kind of text at an offset, determined from its line. There are no comments between `/*` and `*/` here.
    func place(of offset: Int) -> Place {
        guard tripleQuotes.filter({ $0 < offset }).count.isMultiple(of: 2) else { return .string }
        var isInString = false
        var next = ByteScan.lineStart(bytes, at: offset)
        while next < offset {
            if isInString, ByteScan.isByte("\\", bytes, at: next) {
                next += 2
                continue
            }
            if ByteScan.isByte("\"", bytes, at: next) { isInString.toggle() }
            if !isInString, ByteScan.isByte("/", bytes, at: next), ByteScan.isByte("/", bytes, at: next + 1) {
                return ByteScan.isByte("/", bytes, at: next + 2) ? .documentation : .comment
            }
            next += 1
        }
        return isInString ? .string : .code
    }

    /// Whether the `///` lines at an offset stand directly above a declaration that is `public` or `open`.
    func documentsPublic(at offset: Int) -> Bool {
        var start = ByteScan.lineStart(bytes, at: offset)
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
            let line = String(decoding: bytes[start..<end], as: UTF8.self).trimmingCharacters(in: .whitespaces)
            let isPublic = line.contains("public ") || line.contains("open ")
            let isAttribute = line.hasPrefix("@") && !isPublic
            if !line.hasPrefix("///"), !isAttribute { return isPublic }
            start = end + 1
        }
        return false
    }
}
