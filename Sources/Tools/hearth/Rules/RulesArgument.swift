// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreServer

/// The value of `--rules`: `FILE`, or `DATABASE=FILE`.
struct RulesArgument: Equatable {
    /// The id of the databases that the rules are for; nil for all that have no separate rules.
    var database: String?
    var path: String

    /// A path that contains an equals sign behind what could be the id of a database is written with its folder: `./a=b.rules`.
    init(_ text: String) throws {
        database = nil
        path = text
        if let equals = text.firstIndex(of: "="), Self.isDatabase(text[..<equals]) {
            database = String(text[..<equals])
            path = String(text[text.index(after: equals)...])
        }
        guard !path.isEmpty else { throw ValidationError("--rules \(text): the path of the file is missing") }
    }

    var text: String { database.map { "\($0)=\(path)" } ?? path }

    var scope: RulesRegistry.Scope { database.map { .databaseID($0) } ?? .everyDatabase }

    /// For sentences.
    var scopeText: String { database.map { "databases \($0)" } ?? "all databases without rules of their own" }

    /// For log lines.
    var databaseText: String { database ?? "all without rules of their own" }

    private static func isDatabase(_ text: Substring) -> Bool {
        if equalUTF8(String(text), DatabaseID.defaultDatabase) { return true }
        return (1...63).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "-")
            }
    }
}
