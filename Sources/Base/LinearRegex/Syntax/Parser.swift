// SPDX-License-Identifier: Apache-2.0

/// Reads RE2's syntax, as RE2 does with its default options.
///
/// Open groups are on a stack of their own, so a pattern may nest as deep as it is long.
struct Parser {
    /// A group whose parenthesis is still open, or the whole pattern.
    struct Frame {
        enum Kind {
            case pattern
            case group
            case capture(Int)
        }

        let kind: Kind
        /// Holds again behind the closing parenthesis.
        let outerFlags: SyntaxFlags
        let offset: Int
        var alternatives: [SyntaxTree.NodeID] = []
        /// The parts of the current alternative.
        var items: [SyntaxTree.NodeID] = []
    }

    var tree: SyntaxTree
    let scalars: [UInt32]
    var position = 0
    var flags: SyntaxFlags = []
    var frames: [Frame] = [Frame(kind: .pattern, outerFlags: [], offset: 0)]
    var captureNames: [String?] = []
    var knownNames: Set<String> = []
    /// No class of the form `[:name:]` ends behind this position.
    var posixClassesEnd = Int.max
    /// Where the last repetition began, if nothing stands between it and the current position.
    private var lastRepetition: Int?

    init(_ pattern: String, tree: SyntaxTree) {
        self.tree = tree
        scalars = pattern.unicodeScalars.map(\.value)
    }

    mutating func parse() throws(RegularExpressionError) -> SyntaxTree.NodeID {
        while let scalar = peek() {
            let start = position
            switch scalar {
            case "*", "+", "?", "{":
                if try parseRepetition(scalar) {
                    lastRepetition = start
                    continue
                }
                position += 1
                try append(literal: scalar.value)
            case "(": try parseGroupStart()
            case "|":
                position += 1
                try closeAlternative()
            case ")": try parseGroupEnd()
            case "^":
                position += 1
                append(try tree.add(flags.contains(.multiline) ? .lineStart : .textStart))
            case "$":
                position += 1
                append(try tree.add(flags.contains(.multiline) ? .lineEnd : .textEnd))
            case ".":
                position += 1
                append(try tree.add(flags.contains(.dotMatchesNewline) ? .all : ScalarSet.newline.inverted))
            case "[": try parseBracketClass()
            case "\\": try parseBackslash()
            default:
                position += 1
                try append(literal: scalar.value)
            }
            lastRepetition = nil
        }
        guard frames.count == 1 else { throw problem(.missingParenthesis, from: frames[frames.count - 1].offset, to: scalars.count) }
        return try closeFrame()
    }

    // MARK: The current group

    mutating func append(_ node: SyntaxTree.NodeID) { frames[frames.count - 1].items.append(node) }

    mutating func append(literal scalar: UInt32) throws(RegularExpressionError) {
        let range = [ScalarRange(scalar, scalar)]
        append(try tree.add(ScalarSet(flags.contains(.ignoresCase) ? CaseOrbits.closure(of: range) : range)))
    }

    private mutating func closeAlternative() throws(RegularExpressionError) {
        let items = frames[frames.count - 1].items
        frames[frames.count - 1].items = []
        frames[frames.count - 1].alternatives.append(try tree.concatenate(items))
    }

    private mutating func closeFrame() throws(RegularExpressionError) -> SyntaxTree.NodeID {
        try closeAlternative()
        let frame = frames.removeLast()
        flags = frame.outerFlags
        let body = try tree.alternate(frame.alternatives)
        if case .capture(let number) = frame.kind { return try tree.capture(body, number: number) }
        return body
    }

    private mutating func parseGroupEnd() throws(RegularExpressionError) {
        guard frames.count > 1 else { throw problem(.unexpectedParenthesis, from: position, to: position + 1) }
        position += 1
        append(try closeFrame())
    }

    // MARK: Repetitions

    /// False if a brace begins no repetition; it is a literal then.
    private mutating func parseRepetition(_ scalar: Unicode.Scalar) throws(RegularExpressionError) -> Bool {
        let start = position
        var bounds: (minimum: Int, maximum: Int?)?
        if scalar == "{" {
            bounds = parseBounds()
            if bounds == nil { return false }
        } else {
            position += 1
        }
        var repetitionFlags = flags
        if take("?") { repetitionFlags.formSymmetricDifference(.isLazy) }
        if let lastRepetition { throw problem(.badRepetition, from: lastRepetition, to: position) }
        if let (minimum, maximum) = bounds, max(minimum, maximum ?? 0) > 1000 || minimum > maximum ?? minimum {
            throw problem(.repetitionTooLarge, from: start, to: position)
        }
        guard let node = frames[frames.count - 1].items.popLast() else {
            throw problem(.missingRepetitionArgument, from: start, to: position)
        }
        switch (bounds, scalar) {
        case (let (minimum, maximum)?, _):
            guard let repeated = try tree.repeated(node, minimum, maximum, repetitionFlags) else {
                throw problem(.repetitionTooLarge, from: start, to: position)
            }
            append(repeated)
        case (nil, "*"): append(try tree.loop(.star, node, repetitionFlags))
        case (nil, "+"): append(try tree.loop(.plus, node, repetitionFlags))
        case (nil, _): append(try tree.loop(.optional, node, repetitionFlags))
        }
        return true
    }

    /// `{2}`, `{2,}` or `{2,4}`; otherwise stays where it is.
    private mutating func parseBounds() -> (Int, Int?)? {
        let start = position
        position += 1
        if let minimum = parseCount() {
            if take("}") { return (minimum, minimum) }
            if take(",") {
                if take("}") { return (minimum, nil) }
                if let maximum = parseCount(), take("}") { return (minimum, maximum) }
            }
        }
        position = start
        return nil
    }

    /// No leading zeros, and at most nine digits or a one with nine zeros at most: what RE2 takes for a number.
    private mutating func parseCount() -> Int? {
        guard let first = peek(), "0"..."9" ~= first else { return nil }
        if first == "0", let second = peek(1), "0"..."9" ~= second { return nil }
        var count = 0
        while let digit = peek(), "0"..."9" ~= digit {
            if count >= 100_000_000 { return nil }
            count = count * 10 + Int(digit.value - 48)
            position += 1
        }
        return count
    }

    // MARK: Reading

    /// The scalar at a distance from the position. A lone surrogate cannot be in a pattern.
    func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        position + distance < scalars.count ? Unicode.Scalar(scalars[position + distance]) : nil
    }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == scalar else { return false }
        position += 1
        return true
    }

    /// The position of a scalar at or behind another position.
    func find(_ scalar: Unicode.Scalar, from start: Int) -> Int? {
        start <= scalars.count ? scalars[start...].firstIndex(of: scalar.value) : nil
    }

    func text(_ start: Int, _ end: Int) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[min(start, scalars.count)..<min(end, scalars.count)].compactMap(Unicode.Scalar.init))
        return String(text)
    }

    func problem(_ problem: PatternProblem, from start: Int, to end: Int) -> RegularExpressionError {
        // A long part says no more than its beginning.
        .invalidPattern(problem, offset: start, part: text(start, min(end, start + 40)))
    }
}
