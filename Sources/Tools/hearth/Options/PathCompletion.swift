// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import Foundation

/// Completes paths in a shell: the collections and documents of the database that the command line names.
///
/// Completion runs while the user types: results that take too long are left out, and no error is shown.
enum PathCompletion {
    /// The maximum number of suggestions.
    private static let most = 100
    private static let patience = 2.0

    @Sendable static func collections(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        await complete(words, prefix, endsWithCollection: true)
    }

    @Sendable static func documents(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        await complete(words, prefix, endsWithCollection: false)
    }

    @Sendable static func all(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        await complete(words, prefix, endsWithCollection: nil)
    }

    /// Suggestions that continue end with a slash, complete ones do not.
    private static func complete(_ words: [String], _ prefix: String, endsWithCollection: Bool?) async -> [String] {
        guard let place = try? PlaceOptions.place(placeWords(words), environment: CommandEnvironment.current),
            let place = try? await place.withProject(writes: false),
            let open = try? place.open(.read, timeout: patience)
        else { return [] }
        let found = (try? await names(below: prefix, in: open)) ?? []
        await open.service.shutdown()
        return found.flatMap { name -> [String] in
            let isCollection = name.utf8.count { $0 == UInt8(ascii: "/") } % 2 == 0
            guard let endsWithCollection else { return [name, name + "/"] }
            return isCollection == endsWithCollection ? [name] : [name + "/"]
        }
    }

    /// The options that select the database, among all words.
    private static func placeWords(_ words: [String]) -> [String] {
        let options = ["--data", "--server", "--cloud", "--credentials", "--project", "--database", "--trust"]
        var result: [String] = []
        for (index, word) in words.enumerated() {
            if options.contains(word), index + 1 < words.count {
                // bash splits words at colons.
                var value = words[index + 1]
                if index + 3 < words.count, words[index + 2] == ":" { value += ":" + words[index + 3] }
                result += [word, unquoted(value)]
            }
            if word == "--tls" || options.contains(where: { word.hasPrefix($0 + "=") }) { result.append(unquoted(word)) }
        }
        return result
    }

    /// Shells pass words as typed.
    private static func unquoted(_ word: String) -> String {
        word.filter { $0 != "\"" && $0 != "'" && $0 != "\\" }
    }

    /// The names below the last slash that begin with the rest.
    private static func names(below prefix: String, in open: OpenPlace) async throws -> [String] {
        let prefix = unquoted(prefix)
        let parts = prefix.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
        let above = parts.dropLast().joined(separator: "/")
        let names: [String]
        if parts.count % 2 == 1 {
            let parent = above.isEmpty ? nil : try PathCheck.documentKey(above)
            names = try await open.service.collectionIDs(under: parent, after: nil, limit: most, options: .latest, context: open.call).ids
        } else {
            names = try await open.service.documentKeys(
                in: try PathCheck.collectionPath(above), after: nil, limit: most, options: .latest, context: open.call
            ).keys.map(\.id)
        }
        return names.filter { $0.utf8.starts(with: (parts.last ?? "").utf8) }.map { above.isEmpty ? $0 : above + "/" + $0 }
    }
}
