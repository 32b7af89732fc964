// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The turns of one transaction, and the number of its failed attempts.
package struct TransactionClaim: Sendable {
    let losses: Int
    let turns: [TransactionTurn]

    /// Not the path of any document.
    static let everywhere = DocumentKey(trusted: "")
    /// A transaction that reads more places takes turns only at the first of them.
    private static let mostPlaces = 16

    /// The places at which to take turns after a number of failures, in the order that all transactions use. `lost`:
    /// the place of the conflict, if it is known.
    static func places(losses: Int, at lost: DocumentKey?, among read: Set<DocumentKey>) -> [DocumentKey] {
        let known = lost.map { [$0] } ?? []
        var places = read.subtracting(known).sorted().prefix(mostPlaces - known.count) + known
        places.sort()
        return losses > 1 ? [everywhere] + places : Array(places)
    }

    func covers(_ places: [DocumentKey]) -> Bool {
        let held = Set(turns.map(\.place))
        return places.allSatisfy(held.contains)
    }

    package func end() { for turn in turns { turn.end() } }

    /// Whether some of the turns are new.
    package func differs(from other: TransactionClaim?) -> Bool {
        turns.contains { turn in !(other?.turns.contains { $0 === turn } ?? false) }
    }
}
