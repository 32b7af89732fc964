// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Which documents in limbo are being looked up, and which wait for it (SY-109 … SY-112). Decides; performs nothing.
struct LimboTracker {
    struct Lookup {
        let key: DocumentKey
        /// Whether the server has sent the document.
        var hasReceived = false
    }

    enum Effect: Equatable {
        case listen(DocumentKey, TargetID)
        case unlisten(TargetID)
    }

    private let most: Int
    private var lastID: TargetID = -1
    /// The targets in whose views each document is in limbo.
    private var references: [DocumentKey: Set<TargetID>] = [:]
    private(set) var lookups: [TargetID: Lookup] = [:]
    private(set) var active: [DocumentKey: TargetID] = [:]
    /// In the order in which they came.
    private(set) var waiting: [DocumentKey] = []
    private var isWaiting: Set<DocumentKey> = []

    /// At most `most` lookups run simultaneously.
    init(most: Int) { self.most = most }

    func lookup(_ id: TargetID) -> Lookup? { lookups[id] }

    /// A view has found documents in limbo, and others that no longer are.
    mutating func update(_ target: TargetID, added: [DocumentKey], removed: [DocumentKey]) -> [Effect] {
        for key in added {
            references[key, default: []].insert(target)
            if active[key] == nil, isWaiting.insert(key).inserted { waiting.append(key) }
        }
        return pump() + release(removed, from: target)
    }

    /// A target has no views any more.
    mutating func remove(_ target: TargetID) -> [Effect] {
        release(references.filter { $0.value.contains(target) }.keys.sorted(), from: target)
    }

    private mutating func release(_ keys: [DocumentKey], from target: TargetID) -> [Effect] {
        var effects: [Effect] = []
        var hasWaited = false
        for key in keys {
            references[key]?.remove(target)
            guard references[key]?.isEmpty == true else { continue }
            references[key] = nil
            if isWaiting.remove(key) != nil { hasWaited = true }
            guard let id = active.removeValue(forKey: key) else { continue }
            lookups[id] = nil
            effects.append(.unlisten(id))
        }
        if hasWaited { waiting.removeAll { !isWaiting.contains($0) } }
        return effects + pump()
    }

    /// The server has sent the document, or has taken it away again.
    mutating func received(_ id: TargetID, _ hasReceived: Bool) { lookups[id]?.hasReceived = hasReceived }

    /// Lookups are requested again on another stream. Of those that begin anew, what the server has sent says nothing of what it will
    /// send. The others are resumed with a token, behind what it has sent: a document that was received does not come again.
    mutating func startOver(where beginsAnew: (TargetID) -> Bool) {
        for id in lookups.keys where beginsAnew(id) { lookups[id]?.hasReceived = false }
    }

    /// A lookup has ended with an error. Returns what to do next.
    mutating func ended(_ id: TargetID) -> [Effect] {
        guard let lookup = lookups.removeValue(forKey: id) else { return [] }
        active[lookup.key] = nil
        return pump()
    }

    private mutating func pump() -> [Effect] {
        var effects: [Effect] = []
        let count = min(most - active.count, waiting.count)
        guard count > 0 else { return [] }
        defer { waiting.removeFirst(count) }
        for key in waiting.prefix(count) {
            isWaiting.remove(key)
            lastID += 2
            lookups[lastID] = Lookup(key: key)
            active[key] = lastID
            effects.append(.listen(key, lastID))
        }
        return effects
    }
}
