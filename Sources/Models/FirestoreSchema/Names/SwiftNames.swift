// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Makes names of properties, cases and types, each once in its scope (MP-27).
///
/// A name that is changed, because it is reserved or taken, is checked again: the changed one may be reserved or taken, too.
struct SwiftNames {
    private var taken: Set<String>
    private let reserved: Set<String>
    private var unnamed = 0

    /// A scope in which the names `taken` exist already.
    init(taken: Set<String> = [], reserved: Set<String> = ReservedNames.members) {
        self.taken = taken
        self.reserved = reserved
    }

    /// The names of properties, without backticks, for stored names in the order of their bytes. A stored name that is a Swift name
    /// already is used unchanged, whatever comes before it: `id` takes precedence over `_id`.
    mutating func properties(_ stored: [String]) -> [String] {
        let exact = stored.map { NameWords.isLowerCamel($0) && !reserved.contains($0) ? claim($0) : nil }
        return zip(stored, exact).map { $1 ?? property($0) }
    }

    /// The name of a property, without backticks. Call it in the order of the stored names' bytes.
    mutating func property(_ stored: String) -> String {
        var base = NameWords.isLowerCamel(stored) ? stored : NameWords.lowerCamel(NameWords.of(stored))
        if base.isEmpty {
            unnamed += 1
            base = "field\(unnamed)"
        }
        if let first = base.first, first.isNumber { base = "_" + base }
        return claim(base)
    }

    /// The scope of an enumeration's cases.
    static var cases: SwiftNames { SwiftNames(reserved: ReservedNames.members.union(ReservedNames.cases)) }

    /// The scope of nested types.
    static func types(inside taken: Set<String>) -> SwiftNames { SwiftNames(taken: taken, reserved: ReservedNames.types) }

    mutating func type(_ words: [String], isTop: Bool = false) -> String {
        var base = NameWords.upperCamel(Singular.of(words))
        if base.isEmpty { base = "Element" }
        if let first = base.first, first.isNumber { base = "_" + base }
        return claim(base, else: isTop ? "Document" : "Value")
    }

    /// A name that is free and not reserved: itself, or with an ending, or with a number.
    mutating func claim(_ base: String, else ending: String = "Value") -> String {
        var base = base
        while reserved.contains(base) { base += ending }
        var name = base
        var number = 1
        while reserved.contains(name) || !taken.insert(name).inserted {
            number += 1
            name = "\(base)\(number)"
        }
        return name
    }

    static func quoted(_ name: String) -> String { ReservedNames.keywords.contains(name) ? "`\(name)`" : name }

    /// The name of the type for a collection's documents: `City` for `cities`, or for `countries/DE/cities`.
    static func document(of collection: String) -> String {
        var names = SwiftNames.types(inside: [])
        let id = collection.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: Array($0), as: UTF8.self) } ?? ""
        let words = NameWords.of(id)
        return words.isEmpty ? "Document" : names.type(words, isTop: true)
    }

    /// The names for several collections in one program: where two would be equal, the words of the whole path; then a number.
    static func documents(of collections: [String]) -> [String] {
        let short = collections.map(document)
        var names = SwiftNames.types(inside: Set(short.filter { name in short.count { $0 == name } == 1 }))
        return zip(collections, short).map { collection, name in
            guard short.count(where: { $0 == name }) > 1 else { return name }
            let segments = collection.utf8.split(separator: UInt8(ascii: "/")).enumerated().filter { $0.offset % 2 == 0 }
            let words = segments.flatMap { Singular.of(NameWords.of(String(decoding: Array($0.element), as: UTF8.self))) }
            return names.type(words, isTop: true)
        }
    }
}
