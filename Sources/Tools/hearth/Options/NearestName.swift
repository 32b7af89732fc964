// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// Suggestions for mistyped names.
enum NearestName {
    /// The name with one difference, the one that begins with the typed text, or the one with the fewest differences, unless there are too
    /// many of them.
    static func of(_ word: String, in names: [String]) -> String? {
        let typed = Array(word.lowercased().utf8)
        guard (1...60).contains(typed.count) else { return nil }
        let allowed = typed.count < 3 ? 1 : typed.count < 6 ? 2 : 3
        let nearest = names.map { ($0, distance(typed, Array($0.lowercased().utf8))) }.min { $0.1 < $1.1 }
        if let (name, distance) = nearest, distance <= 1, typed.count > 1 { return name }
        if typed.count > 1, let name = names.first(where: { $0.lowercased().utf8.starts(with: typed) }) { return name }
        guard let (name, distance) = nearest, distance <= allowed, distance < typed.count else { return nil }
        return name
    }

    /// Letters to put in, take out, replace or exchange with the next one.
    static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var least = min(last[column + 1] + 1, current[column] + 1, last[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                current.append(least)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }

    // MARK: On the command line

    /// Throws for a word that is not a command, with the nearest one, also within a group of commands (`rules tset`).
    static func check(_ arguments: ArraySlice<String>, of commands: [any ParsableCommand.Type], in group: String? = nil) throws {
        let words = group == nil && arguments.first == "help" ? arguments.dropFirst() : arguments
        guard let word = words.first, !word.hasPrefix("-") else { return }
        let prefix = group.map { $0 + " " } ?? ""
        let names = commands.compactMap { $0.configuration.commandName } + (group == nil ? ["help"] : [])
        guard names.contains(word) else {
            let nearest = of(word, in: names).map { "; did you mean '\(prefix)\($0)'?" } ?? ""
            throw ValidationError("there is no command '\(prefix)\(word)'\(nearest)")
        }
        // Swift 6.3 crashes on key paths and optional chains of `configuration` here.
        for command in commands where command.configuration.commandName == word {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, command.configuration.defaultSubcommand == nil else { return }
            return try check(words.dropFirst(), of: subcommands, in: word)
        }
    }

    /// The end of a message about a value that is not one of `names`.
    static func advice(_ word: String, in names: [String]) -> String { of(word, in: names).map { "; did you mean \($0)?" } ?? "" }

    /// Options of every command, which the parser's suggestions leave out.
    private static let builtIn = ["--help", "--version"]

    /// The parser's message about a value that is not in a list, or about an unknown option, with the nearest one on
    /// the same line; any other message unchanged.
    static func improved(_ message: String) -> String {
        let lines = message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = lines.first, let nearest = nearest(for: first) else { return message }
        let end = first.last == "." ? "" : "."
        return ([first + "\(end) Did you mean '\(nearest)'?"] + lines.dropFirst()).joined(separator: "\n")
    }

    /// The parser reports a missing argument before it looks at options: if `arguments` contains an unknown option,
    /// that is the likelier mistake. `help` is the text of the command.
    static func explained(_ message: String, arguments: [String], help: String) -> String {
        guard message.hasPrefix("Error: Missing expected argument") else { return improved(message) }
        let lines = help.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("-") }
        let known = lines.flatMap { $0.matches(of: /--[a-z-]+/).prefix(1).map { String($0.output) } }
        let names = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }.map { $0.prefix { $0 != "=" } }
        guard let unknown = names.first(where: { !known.contains(String($0)) }) else { return message }
        let nearest = of(String(unknown), in: known).map { ". Did you mean '\($0)'?" } ?? ""
        let usage = message.split(separator: "\n").drop { !$0.hasPrefix("Usage:") }
        return (["Error: Unknown option '\(unknown)'\(nearest)"] + usage).joined(separator: "\n")
    }

    private static func nearest(for line: Substring) -> String? {
        if let match = line.firstMatch(of: /The value '(.*)' is invalid for .* one of (.*)/) {
            return of(String(match.output.1), in: match.output.2.matches(of: /'([^']*)'/).map { String($0.output.1) })
        }
        return line.wholeMatch(of: /Error: Unknown option '(--[^']*)'/).flatMap { of(String($0.output.1), in: builtIn) }
    }
}
