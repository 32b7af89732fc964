// SPDX-License-Identifier: Apache-2.0
import FirestoreCoding
import FirestoreCore

/// The findings of an audit while it runs, in bounded memory.
struct FindingTable {
    struct Key: Hashable {
        let kind: AuditReport.Kind
        let path: String
        let stored: String
        let expected: String
    }

    private struct Entry {
        var tally = DocumentTally()
        var values: [String] = []
    }

    /// How many different findings are recorded (MP-13).
    private static let limit = 10_000

    private var entries: [Key: Entry] = [:]
    private(set) var hasMore = false
    private let exampleLimit: Int

    init(exampleLimit: Int) { self.exampleLimit = exampleLimit }

    /// Adds a document to a finding; `value` is shown in the report.
    mutating func add(_ key: Key, document: Int, id: String, value: String? = nil) {
        guard entries[key] != nil || entries.count < Self.limit else {
            hasMore = true
            return
        }
        entries[key, default: Entry()].tally.add(document, id: id, limit: exampleLimit)
        guard let value, entries[key]?.values.count ?? 0 < exampleLimit, entries[key]?.values.contains(value) != true else { return }
        entries[key]?.values.append(value)
    }

    /// Adds findings that were counted elsewhere.
    mutating func add(_ key: Key, _ tally: DocumentTally) {
        guard entries.count < Self.limit else {
            hasMore = true
            return
        }
        entries[key, default: Entry()].tally = tally
    }

    /// By kind, then path, then types.
    func findings(of documents: Int) -> [AuditReport.Finding] {
        let kinds = Dictionary(uniqueKeysWithValues: AuditReport.Kind.allCases.enumerated().map { ($0.element, $0.offset) })
        let sorted = entries.sorted { left, right in
            let (first, second) = (kinds[left.key.kind] ?? 0, kinds[right.key.kind] ?? 0)
            if first != second { return first < second }
            for order in [
                compareUTF8(left.key.path, right.key.path), compareUTF8(left.key.stored, right.key.stored),
                compareUTF8(left.key.expected, right.key.expected),
            ] where order != 0 { return order < 0 }
            return false
        }
        return sorted.map { key, entry in
            AuditReport.Finding(
                kind: key.kind, path: key.path, stored: key.stored, expected: key.expected, documentCount: entry.tally.documents,
                share: documents == 0 ? 0 : Double(entry.tally.documents * 1_000_000 / documents) / 1_000_000,
                examples: entry.tally.examples, values: entry.values)
        }
    }
}
