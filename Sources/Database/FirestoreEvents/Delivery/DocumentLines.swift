// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The events of each document, in order. Of a document with very many only the first ones are in memory: the others stay in the log, and
/// are taken back when the first ones are answered. So one document never fills the memory of its trigger.
struct DocumentLines {
    /// In memory, of one document.
    private static let most = 64
    private static let mostBytes = 1 << 20

    private struct Line {
        var numbers: [Int] = []
        var bytes = 0

        var isFull: Bool { numbers.count >= DocumentLines.most || bytes >= DocumentLines.mostBytes }
    }

    private var lines: [DocumentKey: Line] = [:]
    /// When the first event of a document was committed that stays in the log.
    private(set) var deferred: [DocumentKey: DocumentVersion] = [:]
    /// Documents of which events are to be taken back: none of them is in memory any more.
    private var emptied: [DocumentKey] = []

    /// The document of which events are to be taken back, and from when on.
    var recall: (key: DocumentKey, from: DocumentVersion)? {
        guard let key = emptied.first, let from = deferred[key] else { return nil }
        return (key, from)
    }

    /// Whether an event has to stay in the log, and not only now: until it is taken back.
    mutating func defers(_ event: ChangeEvent) -> Bool {
        if deferred[event.key] != nil { return true }
        guard isFull(event.key) else { return false }
        deferred[event.key] = event.time
        return true
    }

    /// Notes that the events from a moment on stay in the log again.
    mutating func deferAgain(_ key: DocumentKey, from time: DocumentVersion) {
        deferred[key] = time
        emptied.removeAll { $0 == key }
    }

    /// The events through a moment are in memory.
    mutating func recalled(_ key: DocumentKey, through time: DocumentVersion) {
        deferred[key] = DocumentVersion(microseconds: time.microseconds + 1)
    }

    /// Nothing of a document is left in the log.
    mutating func recalled(_ key: DocumentKey) {
        deferred[key] = nil
        emptied.removeAll { $0 == key }
    }

    mutating func forgetDeferred() { (deferred, emptied) = ([:], []) }

    func isFull(_ key: DocumentKey) -> Bool { lines[key]?.isFull ?? false }

    /// Returns whether it is the first one of its document.
    mutating func append(_ number: Int, _ event: ChangeEvent) -> Bool {
        lines[event.key, default: Line()].numbers.append(number)
        lines[event.key]?.bytes += event.bytes
        return lines[event.key]?.numbers.count == 1
    }

    /// Removes an event. Returns the first one that is left of its document.
    mutating func remove(_ number: Int, _ event: ChangeEvent) -> Int? {
        lines[event.key]?.numbers.removeAll { $0 == number }
        lines[event.key]?.bytes -= event.bytes
        if let first = lines[event.key]?.numbers.first { return first }
        lines[event.key] = nil
        if deferred[event.key] != nil { emptied.append(event.key) }
        return nil
    }
}
