// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules

extension WatchBatch {
    /// One batch that leads to the same state as this one and the next.
    func merged(with next: WatchBatch) -> WatchBatch {
        guard !next.isReset else { return next }
        var places: [DocumentKey: Int] = [:]
        var merged: [Change] = []
        for change in changes + next.changes {
            if let place = places[change.key] {
                merged[place] = change
            } else {
                places[change.key] = merged.count
                merged.append(change)
            }
        }
        // A whole state has nothing to remove.
        if isReset { merged.removeAll { if case .remove = $0 { true } else { false } } }
        let changed = Set(next.changes.map(\.key))
        let gone = Set(merged.compactMap { if case .remove(let key) = $0 { key } else { nil } })
        let departed = (departed.filter { !changed.contains($0.key) } + next.departed).filter { gone.contains($0.key) }
        let added = next.changes.compactMap { if case .update(let document) = $0 { document.key } else { nil } }
        return WatchBatch(
            readTime: next.readTime, token: next.token, basis: basis, changes: merged, departed: departed,
            keys: keys.map { keys in keys.filter { !changed.contains($0) } + added })
    }
}

extension WatchBatch.Change {
    fileprivate var key: DocumentKey {
        switch self {
        case .update(let document): document.key
        case .remove(let key): key
        }
    }
}
