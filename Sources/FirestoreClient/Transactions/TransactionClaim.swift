import FirestoreCore

/// The turns one transaction has, and how often it has lost so far.
package struct TransactionClaim: Sendable {
    let losses: Int
    let turns: [TransactionTurn]

    /// Not the path of anything.
    static let everywhere = DocumentKey(trusted: "")
    /// A transaction that reads more than this takes turns at the first of them only.
    private static let mostPlaces = 16

    /// Where to take turns after so many losses, in the order in which everybody takes them; `lost`: where it was, if that is
    /// known.
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

    /// Whether some of the turns are new ones.
    package func differs(from other: TransactionClaim?) -> Bool {
        turns.contains { turn in !(other?.turns.contains { $0 === turn } ?? false) }
    }
}
