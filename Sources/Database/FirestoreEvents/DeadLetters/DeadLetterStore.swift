// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreStorage

/// The dead events of a database, as facts beside its documents: bounded in number, size and age.
///
/// Several processes and commands may change them: a counter says that what this object remembers is out of date.
package actor DeadLetterStore {
    /// What is remembered of a stored letter.
    private struct Entry {
        let key: String
        let died: Int64
        let bytes: Int
    }

    private static let letters = "hearth/events/dead/"..<"hearth/events/dead0"
    private static let requests = "hearth/events/retry/"..<"hearth/events/retry0"
    private static let counter = "hearth/events/changes"

    private let database: any LoggedDatabase
    private let databaseID: DatabaseID
    private let bounds: DeadLetterBounds
    /// nil before the first look.
    private var known: (changes: Int64, entries: [String: Entry])?

    package init(_ database: any LoggedDatabase, of databaseID: DatabaseID, bounds: DeadLetterBounds = DeadLetterBounds()) {
        self.database = database
        self.databaseID = databaseID
        self.bounds = bounds
    }

    // MARK: Looking

    /// All letters, the oldest first.
    package func all() async throws(FirestoreError) -> [DeadLetter] {
        let databaseID = databaseID
        return try await database.changeFacts { (facts) throws(FirestoreError) in
            var (found, requested) = ([DeadLetter](), Set<String>())
            try facts.facts(in: Self.requests) { key, _ in requested.insert(Self.id(of: key)) }
            try facts.facts(in: Self.letters) { _, bytes throws(FirestoreError) in
                var letter = try DeadLetter(JSONNode(JSON(bytes)), in: databaseID)
                letter.isRequested = requested.contains(letter.event.id)
                found.append(letter)
            }
            return found
        }
    }

    /// The number of letters and of their bytes, as this object knows them.
    package var size: (count: Int, bytes: Int) {
        guard let known else { return (0, 0) }
        return (known.entries.count, known.entries.values.reduce(0) { $0 + $1.bytes })
    }

    // MARK: Keeping

    /// Stores a letter instead of an earlier one of the same event, and removes what exceeds the bounds. Returns how many were removed.
    package func bury(_ letter: DeadLetter) async throws(FirestoreError) -> Int {
        let value = ByteSlice(try letter.json(in: databaseID).bytes())
        let entry = Entry(key: Self.key(letter), died: letter.died, bytes: value.array.count)
        let (id, bounds, known) = (letter.event.id, bounds, known)
        let result = try await database.changeFacts { (facts) throws(FirestoreError) in
            var (changes, entries) = try Self.entries(known, facts)
            if let earlier = entries.removeValue(forKey: id) { try facts.setFact(earlier.key, nil) }
            entries[id] = entry
            try facts.setFact(entry.key, value)
            let excess = Self.excess(of: entries, bounds, now: letter.died)
            for id in excess {
                guard let removed = entries.removeValue(forKey: id) else { continue }
                try facts.setFact(removed.key, nil)
                try facts.setFact(Self.requests.lowerBound + id, nil)
            }
            changes += 1
            try facts.setFact(Self.counter, Self.value(changes))
            return (changes: changes, entries: entries, removed: excess.count)
        }
        self.known = (result.changes, result.entries)
        return result.removed
    }

    /// Removes letters. Returns the ids of those that there were.
    @discardableResult
    package func drop(_ ids: Set<String>) async throws(FirestoreError) -> Set<String> {
        try await change { (facts, entries) throws(FirestoreError) in
            var dropped: Set<String> = []
            for id in ids {
                guard let entry = entries.removeValue(forKey: id) else { continue }
                try facts.setFact(entry.key, nil)
                try facts.setFact(Self.requests.lowerBound + id, nil)
                dropped.insert(id)
            }
            return dropped
        }
    }

    // MARK: Delivering again

    /// Requests that letters are delivered again, by the process that delivers. Returns the ids of those that there are.
    @discardableResult
    package func request(_ ids: Set<String>) async throws(FirestoreError) -> Set<String> {
        try await change { (facts, entries) throws(FirestoreError) in
            let found = ids.intersection(entries.keys)
            for id in found { try facts.setFact(Self.requests.lowerBound + id, ByteSlice(Array("1".utf8))) }
            return found
        }
    }

    /// A number that changes when letters are changed or requested. Cheap to ask for.
    package func changes() async throws(FirestoreError) -> Int64 { Self.number(try await database.fact(Self.counter)) }

    /// What changes when letters are changed or requested, also by a restore. Cheap to ask for.
    package struct Revision: Sendable, Equatable {
        let history: UInt64?
        let changes: Int64
    }

    package func revision() async throws(FirestoreError) -> Revision {
        Revision(history: database.history?.number, changes: try await changes())
    }

    /// The letters of a trigger that were requested: at most `limit`, and from now on they are not any more.
    package func takeRequests(of trigger: String, limit: Int) async throws(FirestoreError) -> [DeadLetter] {
        let (databaseID, known) = (databaseID, known)
        // The counter stays: several triggers look at it, and what each takes is nothing new for the others.
        let result = try await database.changeFacts { (facts) throws(FirestoreError) in
            let present = try Self.entries(known, facts)
            var (ids, found) = ([String](), [DeadLetter]())
            try facts.facts(in: Self.requests) { key, _ in ids.append(Self.id(of: key)) }
            for id in ids where found.count < limit {
                guard let entry = present.entries[id], let value = try facts.fact(entry.key) else {
                    try facts.setFact(Self.requests.lowerBound + id, nil)
                    continue
                }
                let letter = try DeadLetter(JSONNode(JSON(value.array)), in: databaseID)
                guard equalUTF8(letter.trigger, trigger) else { continue }
                try facts.setFact(Self.requests.lowerBound + id, nil)
                found.append(letter)
            }
            return (changes: present.changes, entries: present.entries, found: found)
        }
        self.known = (result.changes, result.entries)
        return result.found
    }

    // MARK: Implementation

    private typealias Known = (changes: Int64, entries: [String: Entry])

    private func change<R: Sendable>(
        _ body: @escaping @Sendable (any FactTransaction, inout [String: Entry]) throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        let known = known
        let result = try await database.changeFacts { (facts) throws(FirestoreError) in
            var (changes, entries) = try Self.entries(known, facts)
            let answer = try body(facts, &entries)
            changes += 1
            try facts.setFact(Self.counter, Self.value(changes))
            return (changes: changes, entries: entries, answer: answer)
        }
        self.known = (result.changes, result.entries)
        return result.answer
    }

    /// What is stored, read again only if it may have changed.
    private static func entries(_ known: Known?, _ facts: any FactTransaction) throws(FirestoreError) -> Known {
        let changes = number(try facts.fact(counter))
        if let known, known.changes == changes { return known }
        var entries: [String: Entry] = [:]
        try facts.facts(in: letters) { key, bytes in
            let died = Int64(key.dropFirst(letters.lowerBound.count).prefix { $0 != "/" }) ?? 0
            entries[id(of: key)] = Entry(key: key, died: died, bytes: bytes.count)
        }
        return (changes, entries)
    }

    /// The ids of the oldest entries that exceed the bounds.
    private static func excess(of entries: [String: Entry], _ bounds: DeadLetterBounds, now: Int64) -> [String] {
        var (count, bytes) = (entries.count, entries.values.reduce(0) { $0 + $1.bytes })
        let horizon = now - bounds.age.microseconds
        guard count > bounds.count || bytes > bounds.bytes || entries.values.contains(where: { $0.died < horizon }) else { return [] }
        var found: [String] = []
        for (id, entry) in entries.sorted(by: { $0.value.key < $1.value.key }) {
            guard count > bounds.count || bytes > bounds.bytes || entry.died < horizon else { break }
            found.append(id)
            count -= 1
            bytes -= entry.bytes
        }
        return found
    }

    private static func key(_ letter: DeadLetter) -> String {
        let digits = String(max(letter.died, 0))
        return letters.lowerBound + String(repeating: "0", count: max(20 - digits.count, 0)) + digits + "/" + letter.event.id
    }

    private static func id(of key: String) -> String { key.split(separator: "/").last.map(String.init) ?? key }
    private static func value(_ number: Int64) -> ByteSlice { ByteSlice(Array(String(number).utf8)) }
    private static func number(_ value: ByteSlice?) -> Int64 { value.flatMap { Int64(String(decoding: $0.array, as: UTF8.self)) } ?? 0 }
}
