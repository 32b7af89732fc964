// SPDX-License-Identifier: Apache-2.0
import LinearRegex

/// A pattern of `like`: `%` is any text, `_` any code point, and `\` makes the next character literal.
///
/// The parts between two `%` are looked for one after the other, each as far left as possible, so that nothing is tried twice. A part takes
/// time in proportion to the text; one that contains `_` in proportion to the text times its own length, which the budget of matching
/// bounds.
struct LikePattern {
    /// A byte that UTF-8 does not have: any code point.
    fileprivate static let anyCodePoint: UInt8 = 0xFF

    /// What the text begins with.
    private var first = LikePart()
    /// What follows in this order, with any text before each.
    private var middle: [LikePart] = []
    /// What the text ends with; nil for a pattern without `%`.
    private var last: LikePart?

    /// nil if a backslash is the last character.
    init?(_ pattern: UnsafeRawBufferPointer) {
        var parts = [LikePart()]
        var isEscaped = false
        for byte in pattern {
            switch byte {
            case UInt8(ascii: "\\") where !isEscaped:
                isEscaped = true
                continue
            case UInt8(ascii: "%") where !isEscaped: parts.append(LikePart())
            case UInt8(ascii: "_") where !isEscaped: parts[parts.count - 1].append(Self.anyCodePoint)
            default: parts[parts.count - 1].append(byte)
            }
            isEscaped = false
        }
        if isEscaped { return nil }
        first = parts.removeFirst()
        last = parts.popLast()
        middle = parts.filter { !$0.units.isEmpty }
    }

    func matches(_ text: UnsafeRawBufferPointer, _ budget: inout MatchBudget) throws(RegularExpressionError) -> Bool {
        guard var start = first.end(of: text, from: 0) else { return false }
        guard let last else { return start == text.count }
        for part in middle {
            guard let end = try part.firstEnd(in: text, from: start, &budget) else { return false }
            start = end
        }
        guard let lastStart = last.start(in: text) else { return false }
        return lastStart >= start
    }
}

/// A part of a pattern without `%`.
private struct LikePart {
    private(set) var units: [UInt8] = []
    private var isLiteral = true

    mutating func append(_ unit: UInt8) {
        units.append(unit)
        if unit == LikePattern.anyCodePoint { isLiteral = false }
    }

    /// Where the part ends that begins at an offset of a text; nil if it does not match there.
    func end(of text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var offset = start
        for unit in units {
            guard offset < text.count else { return nil }
            if unit == LikePattern.anyCodePoint {
                offset = UTF8Unit.end(from: offset, in: text)
            } else {
                guard text[offset] == unit else { return nil }
                offset += 1
            }
        }
        return offset
    }

    /// Where the part begins with which a text ends.
    func start(in text: UnsafeRawBufferPointer) -> Int? {
        var offset = text.count
        for unit in units.reversed() {
            guard offset > 0 else { return nil }
            if unit == LikePattern.anyCodePoint {
                offset = UTF8Unit.start(before: offset, in: text)
            } else {
                offset -= 1
                guard text[offset] == unit else { return nil }
            }
        }
        return offset
    }

    /// Where the leftmost occurrence ends.
    func firstEnd(
        in text: UnsafeRawBufferPointer, from start: Int, _ budget: inout MatchBudget
    ) throws(RegularExpressionError) -> Int? {
        if isLiteral {
            return units.withUnsafeBytes { ByteSearch($0).first(in: text, from: start) }.map { $0 + units.count }
        }
        var offset = start
        while offset < text.count {
            try budget.spend(units.count)
            if let end = end(of: text, from: offset) { return end }
            offset = UTF8Unit.end(from: offset, in: text)
        }
        return nil
    }
}
