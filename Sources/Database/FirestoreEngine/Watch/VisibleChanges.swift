// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The documents that became visible or invisible since the last batch.
///
/// Appearing and disappearing cancel out; a document that disappeared and came back different is an update.
struct VisibleChanges {
    private struct Entry {
        let key: DocumentKey
        /// The state that was delivered.
        let before: Document?
        var now: Document?
        /// The current state, visible or not.
        var stored: Document?
    }

    private var entries: [Entry] = []
    private var places: [DocumentKey: Int] = [:]

    mutating func entered(_ document: Document) { set(document.key, before: nil, now: document, stored: document) }

    /// The document is unchanged unless `changed` says otherwise.
    mutating func left(_ document: Document) { set(document.key, before: document, now: nil, stored: document) }

    /// The new state of a document, visible or not; nil if it was deleted.
    mutating func changed(_ key: DocumentKey, to stored: Document?) {
        if let place = places[key] { entries[place].stored = stored }
    }

    private mutating func set(_ key: DocumentKey, before: Document?, now: Document?, stored: Document?) {
        if let place = places[key] {
            entries[place].now = now
            entries[place].stored = stored
        } else {
            places[key] = entries.count
            entries.append(Entry(key: key, before: before, now: now, stored: stored))
        }
    }

    /// The documents that were visible and no longer are.
    var gone: [DocumentKey] { entries.compactMap { $0.before != nil && $0.now == nil ? $0.key : nil } }

    /// Returns the changes to deliver, with the current states of removed documents, and starts over.
    mutating func take() -> (changes: [WatchBatch.Change], departed: [Document]) {
        guard !entries.isEmpty else { return ([], []) }
        defer { self = VisibleChanges() }
        var changes: [WatchBatch.Change] = []
        var departed: [Document] = []
        for entry in entries where entry.before != entry.now {
            if let now = entry.now {
                changes.append(.update(now))
            } else {
                changes.append(.remove(entry.key))
                if let stored = entry.stored { departed.append(stored) }
            }
        }
        return (changes, departed)
    }
}
