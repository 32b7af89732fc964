// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import FirestoreStorage

/// Commits and their effects on the views.
extension WatchTable {
    mutating func apply(_ part: CommittedChanges, to number: Int) -> Action {
        if targets[number]?.starts.isEmpty == false { miss(part, number) }
        // Nothing here may hold the view while it changes, or it would be copied.
        guard let reported = reported(number), part.time > reported else { return .none }
        advance(number, by: part.changes, to: part.time)
        return isShort(number) ? .refill : action(number)
    }

    /// Beyond the limit nothing is stored: `begin` fails, and the hub reads again.
    private mutating func miss(_ part: CommittedChanges, _ number: Int) {
        for start in (targets[number]?.starts ?? [:]).keys {
            guard let bound = targets[number]?.starts[start]?.bound else { continue }
            let total = (targets[number]?.starts[start]?.missedCount ?? 0) + part.changes.count
            targets[number]?.starts[start]?.missedCount = total
            if total <= bound {
                targets[number]?.starts[start]?.missed.append(part)
            } else {
                targets[number]?.starts[start]?.missed = []
            }
        }
    }

    /// Advances a view to a later time.
    mutating func advance(_ number: Int, by changes: [CommittedChange], to time: DocumentVersion) {
        targets[number]?.view.apply(changes)
        targets[number]?.reported = time
    }

    /// Returns the next step for the changes of a target: usually their delivery to its watches.
    mutating func action(_ number: Int) -> Action {
        guard let (changes, departed) = targets[number]?.view.takeChanges(), !changes.isEmpty, let shared = targets[number],
            let reported = shared.reported, !shared.registrations.isEmpty
        else { return .none }
        let batch = WatchBatch(readTime: reported, basis: .known, changes: changes, departed: departed)
        return .deliver(Delivery(batch: batch, registrations: shared.registrations))
    }

    // MARK: Filling windows

    func firstQuery(_ number: Int) -> StructuredQuery? { targets[number]?.view.firstQuery }

    func reported(_ number: Int) -> DocumentVersion? { targets[number]?.reported }

    func isShort(_ number: Int) -> Bool { targets[number]?.view.isShort == true }

    func nextQuery(_ number: Int) throws(FirestoreError) -> StructuredQuery? {
        guard let view = targets[number]?.view, view.isShort else { return nil }
        return try view.nextQuery()
    }

    mutating func extend(_ number: Int, by documents: [Document]) { targets[number]?.view.extend(by: documents) }

    /// Sets the whole state of a target whose view must start over. Returns the documents that are no longer in it: `found` needs
    /// their current states, if they are to be delivered.
    @discardableResult
    mutating func reset(_ number: Int, to documents: [Document], at time: DocumentVersion) -> [DocumentKey] {
        targets[number]?.reported = time
        return targets[number]?.view.reset(to: documents) ?? []
    }

    mutating func found(_ document: Document?, at key: DocumentKey, _ number: Int) {
        targets[number]?.view.found(document, at: key)
    }
}
