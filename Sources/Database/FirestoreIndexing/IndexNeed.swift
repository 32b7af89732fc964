// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// Whether a query has cost enough to be worth an index.
///
/// Reads of a few dozen documents are as fast as any plan; beyond that an index pays off when most of the documents read were not
/// returned.
enum IndexNeed {
    static let fewest = 100
    static let factor = 3
    static let allowance = 10

    static func isWorthwhile(documentsRead: Int, entriesRead: Int, results: Int) -> Bool {
        let cost = documentsRead + entriesRead
        return cost >= fewest && cost > factor * (results + allowance)
    }
}

/// The need for indexes that queries have shown since the engine was opened. Decides; `IndexManager` acts.
struct IndexDemand {
    let limits: IndexLimits
    /// Wanted by queries and not yet decided, oldest first.
    private var wishes: [IndexDefinition] = []
    private var needed: [IndexDefinition] = []
    private var knownNeeds: Set<IndexDefinition> = []
    private var knownShapes: Set<Int> = []
    /// When queries last used indexes, as far as not yet stored.
    private var uses: [IndexDefinition: DocumentVersion] = [:]

    init(limits: IndexLimits) { self.limits = limits }

    /// Returns false if it is waiting already, or too many are.
    mutating func wish(_ definition: IndexDefinition) -> Bool {
        guard wishes.count < limits.wishes, !wishes.contains(definition) else { return false }
        wishes.append(definition)
        return true
    }

    var hasWishes: Bool { !wishes.isEmpty }

    mutating func takeWish() -> IndexDefinition? { wishes.isEmpty ? nil : wishes.removeFirst() }

    mutating func forgetWishes() { wishes = [] }

    mutating func use(_ definition: IndexDefinition, at time: DocumentVersion) { uses[definition] = time }

    mutating func takeUses() -> [IndexDefinition: DocumentVersion] {
        defer { uses = [:] }
        return uses
    }

    var hasUses: Bool { !uses.isEmpty }

    func lastUse(_ definition: IndexDefinition) -> DocumentVersion { uses[definition] ?? .none }

    /// Whether the needs of queries of this shape have not been asked for before; returns true only once.
    mutating func isNew(shape: Int) -> Bool {
        if knownShapes.count >= 4 * limits.needed { knownShapes = [] }
        return knownShapes.insert(shape).inserted
    }

    /// Records the index that the service would need for a query.
    mutating func need(_ definition: IndexDefinition) {
        guard needed.count < limits.needed, knownNeeds.insert(definition).inserted else { return }
        needed.append(definition)
    }

    /// In the order in which queries needed them.
    var allNeeded: [IndexDefinition] { needed }
}
