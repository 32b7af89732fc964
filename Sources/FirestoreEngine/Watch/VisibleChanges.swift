// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// What has come into sight and gone out of it since somebody was last told.
///
/// Coming and going cancel out; what left and came back different is an update.
struct VisibleChanges {
    private struct Entry {
        let key: DocumentKey
        /// What was told.
        let before: Document?
        var now: Document?
        /// What there is of it, in sight or not.
        var stored: Document?
    }

    private var entries: [Entry] = []
    private var places: [DocumentKey: Int] = [:]

    mutating func entered(_ document: Document) { set(document.key, before: nil, now: document, stored: document) }

    /// Unless `changed` says otherwise it is still what it was.
    mutating func left(_ document: Document) { set(document.key, before: document, now: nil, stored: document) }

    /// What a document has become, in sight or not; nil if it was deleted.
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

    /// What was in sight and is not any more.
    var gone: [DocumentKey] { entries.compactMap { $0.before != nil && $0.now == nil ? $0.key : nil } }

    /// What is to be told, with what those that are gone have become, and a fresh start.
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
