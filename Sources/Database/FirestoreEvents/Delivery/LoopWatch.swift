// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Notices documents with very many events in a short time: probably a receiver writes what triggers it.
struct LoopWatch {
    /// From so many events of one document in a minute on.
    static let limit = 100
    /// More documents are not counted in a minute; a loop has few.
    private static let documents = 4_096
    private static let minute: Int64 = 60_000_000

    private var counts: [DocumentKey: Int] = [:]
    private var begun: Int64 = 0

    /// Counts an event. Returns true when it reaches the limit, once in a minute.
    mutating func count(_ key: DocumentKey, now: Int64) -> Bool {
        if now - begun >= Self.minute || now < begun { (counts, begun) = ([:], now) }
        guard counts[key] != nil || counts.count < Self.documents else { return false }
        counts[key, default: 0] += 1
        return counts[key] == Self.limit
    }
}
