// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A map: still in the bytes of a document, the claims of a token, or made by a condition.
enum MapValue: Sendable {
    /// The encoded entries.
    case stored(ByteSlice)
    case claims(FieldMap)
    case entries(MapEntries)
    /// `{data, id, __name__}` of a document.
    case document(DocumentFacts)
    /// `request` and the maps in it.
    case request(RequestFacts)
    case auth(RequestFacts)
    case query(RequestFacts)
    /// A map of which the filters of a query determine a part.
    case open(OpenMap)

    /// The value of a key; nil if the map does not have it.
    subscript(name: String) -> RulesValue? {
        switch self {
        case .stored(let bytes):
            defer { withExtendedLifetime(bytes) {} }
            return FieldsView(bytes.buffer)[utf8: name].map { RulesValue($0, in: bytes) }
        case .claims(let claims): return claims[name].map { RulesValue($0) }
        case .entries(let map): return map[name]
        case .open(let map): return map[name]
        case .document, .request, .auth, .query:
            guard let known = MemberName(rawValue: name) else { return nil }
            return member(known)
        }
    }

    /// Whether its entries have names that are known: it is `request`, a map in it, or a document.
    var isOfRequest: Bool {
        switch self {
        case .document, .request, .auth, .query: true
        case .stored, .claims, .entries, .open: false
        }
    }

    /// An entry of `request`, of a map in it or of a document; nil for all other maps.
    func member(_ name: MemberName) -> RulesValue? {
        switch self {
        case .document(let document): document[name]
        case .request(let facts): facts.requestMember(name)
        case .auth(let facts): facts.authMember(name)
        case .query(let facts): facts.queryMember(name)
        case .stored, .claims, .entries, .open: nil
        }
    }

    /// All entries, sorted by the UTF-8 bytes of their names.
    var entries: [(name: String, value: RulesValue)] {
        switch self {
        case .stored(let bytes):
            defer { withExtendedLifetime(bytes) {} }
            return FieldsView(bytes.buffer).map { (String(decoding: $0.name, as: UTF8.self), RulesValue($0.value, in: bytes)) }
        case .claims(let claims): return claims.entries.map { ($0.name, RulesValue($0.value)) }
        case .entries(let map): return map.entries
        case .document(let document): return pick(DocumentFacts.names, { document[$0] })
        case .request(let facts): return pick(RequestFacts.requestNames, facts.requestMember)
        case .auth(let facts): return pick(RequestFacts.authNames, facts.authMember)
        case .query(let facts): return pick(RequestFacts.queryNames, facts.queryMember)
        case .open(let map): return map.known
        }
    }

    private func pick(_ names: [MemberName], _ member: (MemberName) -> RulesValue?) -> [(name: String, value: RulesValue)] {
        names.compactMap { name in member(name).map { (name.rawValue, $0) } }
    }

    var count: Int {
        switch self {
        case .stored(let bytes):
            defer { withExtendedLifetime(bytes) {} }
            var count = 0
            for _ in FieldsView(bytes.buffer) { count += 1 }
            return count
        case .claims(let claims): return claims.entries.count
        case .entries(let map): return map.entries.count
        default: return entries.count
        }
    }

    /// Whether the map may have keys that are not known.
    var isOpen: Bool {
        if case .open = self { true } else { false }
    }
}

/// A map that a condition made.
final class MapEntries: Sendable {
    let entries: [(name: String, value: RulesValue)]

    /// Of entries with the same name the last wins (SR-59).
    init(_ unsorted: [(name: String, value: RulesValue)]) {
        var sorted: [(name: String, value: RulesValue)] = []
        let order = unsorted.indices.sorted { left, right in
            let order = compareUTF8(unsorted[left].name, unsorted[right].name)
            return order != 0 ? order < 0 : left < right
        }
        for index in order {
            if let last = sorted.last, equalUTF8(last.name, unsorted[index].name) { sorted.removeLast() }
            sorted.append(unsorted[index])
        }
        entries = sorted
    }

    subscript(name: String) -> RulesValue? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            let order = compareUTF8(entries[middle].name, name)
            if order == 0 { return entries[middle].value }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return nil
    }
}
