// SPDX-License-Identifier: Apache-2.0

extension Parser {
    /// `[…]`
    mutating func parseBracketClass() throws(RegularExpressionError) {
        let start = position
        position += 1
        let isNegated = take("^")
        var ranges: [ScalarRange] = []
        // A bracket that comes first is a member.
        var isFirst = true
        while let scalar = peek(), scalar != "]" || isFirst {
            isFirst = false
            if scalar == "[", peek(1) == ":", try parsePosixClass(into: &ranges) { continue }
            if try parseNamedClass(into: &ranges) { continue }
            try parseRange(into: &ranges, of: start)
        }
        guard take("]") else { throw problem(.missingBracket, from: start, to: scalars.count) }
        let set = ScalarSet(ranges)
        append(try tree.add(isNegated ? set.inverted : set))
    }

    /// `a`, `a-z` or an escape.
    private mutating func parseRange(into ranges: inout [ScalarRange], of bracket: Int) throws(RegularExpressionError) {
        let start = position
        let first = try parseMember(of: bracket)
        var last = first
        // `[a-]` has the members a and hyphen.
        if peek() == "-", let end = peek(1), end != "]" {
            position += 1
            last = try parseMember(of: bracket)
            if last < first { throw problem(.badCharacterClass, from: start, to: position) }
        }
        try add([ScalarRange(first, last)], isNegated: false, to: &ranges)
    }

    private mutating func parseMember(of bracket: Int) throws(RegularExpressionError) -> UInt32 {
        guard let scalar = peek() else { throw problem(.missingBracket, from: bracket, to: scalars.count) }
        if scalar == "\\" { return try parseEscape() }
        position += 1
        return scalar.value
    }

    /// `[:alpha:]`; false if the name does not end, and the bracket is a member.
    private mutating func parsePosixClass(into ranges: inout [ScalarRange]) throws(RegularExpressionError) -> Bool {
        let start = position
        var end = position + 2
        guard start < posixClassesEnd else { return false }
        while end + 1 < scalars.count, scalars[end] != 58 || scalars[end + 1] != 93 { end += 1 }
        guard end + 1 < scalars.count else {
            // None of those that follow ends, either: looking again each time would take quadratic time.
            posixClassesEnd = start
            return false
        }
        let name = text(start + 2, end)
        let isNegated = name.unicodeScalars.first == "^"
        guard let members = NamedClasses.posix(isNegated ? String(name.unicodeScalars.dropFirst()) : name) else {
            throw problem(.badCharacterClass, from: start, to: end + 2)
        }
        position = end + 2
        try add(members, isNegated: isNegated, to: &ranges)
        return true
    }

    /// `\d`, `\W`, `\pL`, `\P{Greek}`, `\p{^Greek}`; false if it is another escape, or none.
    mutating func parseNamedClass(into ranges: inout [ScalarRange]) throws(RegularExpressionError) -> Bool {
        guard peek() == "\\", let letter = peek(1) else { return false }
        let members: [ScalarRange]
        switch letter {
        case "d", "D": members = NamedClasses.digit
        case "s", "S": members = NamedClasses.space
        case "w", "W": members = NamedClasses.word
        case "p", "P":
            try parseUnicodeClass(isNegated: letter == "P", into: &ranges)
            return true
        default: return false
        }
        position += 2
        try add(members, isNegated: "A"..."Z" ~= letter, to: &ranges)
        return true
    }

    private mutating func parseUnicodeClass(isNegated: Bool, into ranges: inout [ScalarRange]) throws(RegularExpressionError) {
        let start = position
        position += 2
        var name = text(position, position + 1)
        var isNegated = isNegated
        if take("{") {
            guard let end = find("}", from: position) else { throw problem(.badCharacterClass, from: start, to: scalars.count) }
            if take("^") { isNegated.toggle() }
            name = text(position, end)
            position = end
        }
        position += 1
        guard let members = NamedClasses.unicode(name) else { throw problem(.badCharacterClass, from: start, to: position) }
        try add(members, isNegated: isNegated, to: &ranges)
    }

    /// Without case, a class has the other cases of its members; the complement of a class has none of them.
    private mutating func add(
        _ members: [ScalarRange], isNegated: Bool, to ranges: inout [ScalarRange]
    ) throws(RegularExpressionError) {
        let closed = flags.contains(.ignoresCase) ? CaseOrbits.closure(of: members) : members
        let added = isNegated ? ScalarSet(closed).inverted.ranges : closed
        try tree.count(ranges: added.count)
        ranges += added
    }
}
