// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Facts that the filters of a query prove about a field whose value they do not determine (SR-94).
final class FieldConstraint: Sendable {
    enum Fact: Sendable {
        /// `field op value`
        case bound(Comparison, RulesValue)
        case notEqual(RulesValue)
        case notNull
        /// The field is a list with this element.
        case contains(RulesValue)
    }

    let facts: [Fact]
    /// The number that the field equals, as the query spells it. The document may have the other kind of number.
    let equalNumber: RulesValue?

    init(_ facts: [Fact]) {
        self.facts = facts
        equalNumber = nil
    }

    init(equalTo number: RulesValue) {
        facts = []
        equalNumber = number
    }

    /// The numbers of a document that a filter finds equal to the query's.
    var spellings: [RulesValue] {
        switch equalNumber {
        case .int(let integer):
            guard let float = Double(exactly: integer) else { return [.int(integer)] }
            return integer == 0 ? [.int(0), .float(0), .float(-0.0)] : [.int(integer), .float(float)]
        case .float(let float):
            guard let integer = Int64(exactly: float) else { return [.float(float)] }
            return integer == 0 ? [.int(0), .float(0), .float(-0.0)] : [.int(integer), .float(float)]
        default: return []
        }
    }
}

/// A map of which the filters of a query determine a part: `resource.data` in a list, or a map in it.
final class OpenMap: Sendable {
    private let map: MapEntries

    init(_ entries: [(name: String, value: RulesValue)]) { map = MapEntries(entries) }

    /// Sorted by the UTF-8 bytes of the names.
    var known: [(name: String, value: RulesValue)] { map.entries }

    subscript(name: String) -> RulesValue? { map[name] }
}
