// SPDX-License-Identifier: Apache-2.0

/// Which databases have metrics with their names: the busiest, so that any number of databases makes a bounded number of metrics.
///
/// A database keeps its name until it is closed, or until another one is twice as busy: counters whose labels change with every look would
/// mean nothing.
struct LabelledDatabases {
    let most: Int
    private var labelled: Set<DatabaseName> = []
    private var uses: [DatabaseName: UInt64] = [:]

    init(most: Int = 50) { self.most = most }

    /// Chooses again, by how often each open database has been used.
    mutating func choose(_ open: [(name: DatabaseName, uses: UInt64)]) -> Set<DatabaseName> {
        // A count that became smaller began anew.
        let recent = open.map { entry -> (name: DatabaseName, uses: UInt64) in
            let before = uses[entry.name] ?? 0
            return (entry.name, entry.uses >= before ? entry.uses - before : entry.uses)
        }
        uses = Dictionary(open.map { ($0.name, $0.uses) }, uniquingKeysWith: { $1 })
        labelled.formIntersection(open.map(\.name))
        var candidates = recent.filter { !labelled.contains($0.name) }.sorted { $0.uses > $1.uses }[...]
        var holders = recent.filter { labelled.contains($0.name) }.sorted { $0.uses < $1.uses }[...]
        while let candidate = candidates.popFirst() {
            if labelled.count >= most {
                guard let holder = holders.popFirst(), candidate.uses > 2 * holder.uses else { break }
                labelled.remove(holder.name)
            }
            labelled.insert(candidate.name)
        }
        return labelled
    }
}
