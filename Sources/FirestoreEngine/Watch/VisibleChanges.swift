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
    }

    private var entries: [Entry] = []
    private var places: [DocumentKey: Int] = [:]

    mutating func entered(_ document: Document) { set(document.key, before: nil, now: document) }

    mutating func left(_ document: Document) { set(document.key, before: document, now: nil) }

    private mutating func set(_ key: DocumentKey, before: Document?, now: Document?) {
        if let place = places[key] {
            entries[place].now = now
        } else {
            places[key] = entries.count
            entries.append(Entry(key: key, before: before, now: now))
        }
    }

    /// What is to be told, and a fresh start.
    mutating func take() -> [WatchBatch.Change] {
        guard !entries.isEmpty else { return [] }
        defer { self = VisibleChanges() }
        return entries.compactMap { entry in
            if entry.before == entry.now { return nil }
            return entry.now.map { .update($0) } ?? .remove(entry.key)
        }
    }
}
