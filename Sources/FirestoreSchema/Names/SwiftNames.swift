// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Makes names of properties, cases and types, each once in its scope (MP-27).
struct SwiftNames {
    private var taken: Set<String>
    private var unnamed = 0

    init(taken: Set<String> = []) { self.taken = taken }

    /// The name of a property, without backticks. Call it in the order of the stored names' bytes.
    mutating func property(_ stored: String) -> String {
        var base = NameWords.isLowerCamel(stored) ? stored : NameWords.lowerCamel(NameWords.of(stored))
        if base.isEmpty {
            unnamed += 1
            base = "field\(unnamed)"
        }
        if let first = base.first, first.isNumber { base = "_" + base }
        if ReservedNames.members.contains(base) { base += "Value" }
        return claim(base)
    }

    /// The scope of an enumeration's cases.
    static var cases: SwiftNames { SwiftNames(taken: ReservedNames.cases) }

    mutating func type(_ words: [String], isTop: Bool = false) -> String {
        var base = NameWords.upperCamel(Singular.of(words))
        if base.isEmpty { base = "Element" }
        if let first = base.first, first.isNumber { base = "_" + base }
        if ReservedNames.types.contains(base) { base += isTop ? "Document" : "Value" }
        return claim(base)
    }

    /// A name that is free: itself, or with a number.
    mutating func claim(_ base: String) -> String {
        var name = base
        var number = 1
        while !taken.insert(name).inserted {
            number += 1
            name = "\(base)\(number)"
        }
        return name
    }

    static func quoted(_ name: String) -> String { ReservedNames.keywords.contains(name) ? "`\(name)`" : name }

    /// The name of the type for a collection's documents: `City` for `cities`, or for `countries/DE/cities`.
    static func document(of collection: String) -> String {
        var names = SwiftNames()
        let id = collection.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: Array($0), as: UTF8.self) } ?? ""
        let words = NameWords.of(id)
        return words.isEmpty ? "Document" : names.type(words, isTop: true)
    }

    /// The names for several collections in one program: where two would be equal, the words of the whole path.
    static func documents(of collections: [String]) -> [String] {
        let short = collections.map(document)
        return zip(collections, short).map { collection, name in
            guard short.count(where: { $0 == name }) > 1 else { return name }
            let segments = collection.utf8.split(separator: UInt8(ascii: "/")).enumerated().filter { $0.offset % 2 == 0 }
            var names = SwiftNames()
            let words = segments.flatMap { Singular.of(NameWords.of(String(decoding: Array($0.element), as: UTF8.self))) }
            return names.type(words, isTop: true)
        }
    }
}
