// SPDX-License-Identifier: Apache-2.0

/// Conversion of names between `camelCase` and `snake_case` (R63, R64). Not inverse for acronyms (R65).
enum SnakeCase {
    /// `myURLString` → `my_url_string`: a break before an upper-case letter that follows a lower-case one (or a digit),
    /// and before the last capital of a run.
    static func fromCamelCase(_ name: String) -> String {
        let characters = Array(name)
        var result = ""
        for (index, character) in characters.enumerated() {
            if character.isUppercase, index > 0 {
                let previous = characters[index - 1]
                let next = index + 1 < characters.count ? characters[index + 1] : nil
                let followsWord = !previous.isUppercase && previous != "_"
                let endsRun = previous.isUppercase && next.map { $0.isLowercase } == true
                if followsWord || endsRun { result.append("_") }
            }
            result.append(contentsOf: character.lowercased())
        }
        return result
    }

    /// Converts `home_address_line` to `homeAddressLine`. Leading and trailing underscores are preserved, single words are unchanged.
    static func toCamelCase(_ name: String) -> String {
        guard let first = name.firstIndex(where: { $0 != "_" }), let last = name.lastIndex(where: { $0 != "_" }) else {
            return name
        }
        let words = name[first...last].split(separator: "_")
        guard words.count > 1 else { return name }
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
        return name[..<first] + words[0].lowercased() + rest.joined() + name[name.index(after: last)...]
    }
}
