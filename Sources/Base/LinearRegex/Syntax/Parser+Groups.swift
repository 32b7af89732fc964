// SPDX-License-Identifier: Apache-2.0

extension Parser {
    /// `(`, `(?:`, `(?flags)`, `(?flags:`, `(?P<name>` or `(?<name>`
    mutating func parseGroupStart() throws(RegularExpressionError) {
        let start = position
        position += 1
        guard take("?") else { return openCapture(nil, at: start) }
        let isPython = peek() == "P" && peek(1) == "<"
        if isPython || peek() == "<" && peek(1) != "=" && peek(1) != "!" {
            position += isPython ? 2 : 1
            try parseGroupName(start)
        } else {
            try parseFlags(start)
        }
    }

    private mutating func openCapture(_ name: String?, at start: Int) {
        captureNames.append(name)
        frames.append(Frame(kind: .capture(captureNames.count), outerFlags: flags, offset: start))
    }

    private mutating func parseGroupName(_ start: Int) throws(RegularExpressionError) {
        guard let end = find(">", from: position) else { throw problem(.badGroupName, from: start, to: scalars.count) }
        let name = text(position, end)
        guard end > position, scalars[position..<end].allSatisfy(NamedClasses.nameScalars.contains) else {
            throw problem(.badGroupName, from: start, to: end + 1)
        }
        // RE2's C++ version takes the first of two; its Java and Go versions, and the service, reject them.
        guard knownNames.insert(name).inserted else { throw problem(.duplicateGroupName, from: start, to: end + 1) }
        position = end + 1
        openCapture(name, at: start)
    }

    private mutating func parseFlags(_ start: Int) throws(RegularExpressionError) {
        var new = flags
        var isNegated = false
        var needsFlag = false
        while let scalar = peek() {
            position += 1
            let flag: SyntaxFlags
            switch scalar {
            case "i": flag = .ignoresCase
            case "m": flag = .multiline
            case "s": flag = .dotMatchesNewline
            case "U": flag = .isLazy
            case "-" where !isNegated:
                (isNegated, needsFlag) = (true, true)
                continue
            case ":" where !needsFlag:
                frames.append(Frame(kind: .group, outerFlags: flags, offset: start))
                flags = new
                return
            case ")" where !needsFlag:
                flags = new
                return
            default: throw problem(.badGroupSyntax, from: start, to: position)
            }
            needsFlag = false
            if isNegated { new.subtract(flag) } else { new.formUnion(flag) }
        }
        throw problem(.badGroupSyntax, from: start, to: position)
    }
}
