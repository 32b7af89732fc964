// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

/// A step being sent: frames that end in a snapshot of all targets, made as fast as the peer takes them.
struct SendingStep {
    private enum Part { case resets, firstStates, documents, filters, currents, snapshot, done }

    /// The time at which all of it is true.
    let time: DocumentVersion
    private let database: DatabaseID
    /// The history that tokens name, and its run.
    private let history: DatabaseHistory?
    private let step: PendingStep
    private var filters: [(target: Int, keys: Set<DocumentKey>)]
    private var part = Part.resets
    private var index = 0
    private var inner = 0
    /// Bytes of documents in the frames that are being made.
    private var framed = 0
    /// The number of documents of initial states still to be sent.
    private(set) var firstStateCount: Int

    init(_ step: PendingStep, at time: DocumentVersion, of database: DatabaseID, history: DatabaseHistory?) {
        self.history = history
        self.time = time
        self.database = database
        self.step = step
        filters = step.filters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        firstStateCount = step.firstStateCount
    }

    var isDone: Bool { part == .done }
    var currents: [Int] { step.currents }

    /// Returns approximately this many further frames, or fewer with so many bytes of documents. `name` returns the peer's id of a target;
    /// nil if it was removed. `laggards` are the targets that will not have received everything at the snapshot, with their positions.
    mutating func next(
        _ count: Int, bytes: Int = .max, except laggards: [Int32: DocumentVersion?] = [:], name: (Int) -> Int32?
    ) -> [ListenResponse] {
        var frames: [ListenResponse] = []
        framed = 0
        while frames.count < count, framed < bytes, part != .done {
            switch part {
            case .resets:
                let names = step.resets.compactMap(name)
                if !names.isEmpty { frames.append(.targetChange(TargetChange(.reset, targets: names))) }
                enter(.firstStates)
            case .firstStates: appendFirstState(to: &frames, name)
            case .documents:
                guard index < step.documents.count else {
                    enter(.filters)
                    continue
                }
                append(step.documents[index], to: &frames, name)
                index += 1
            case .filters:
                guard index < filters.count else {
                    enter(.currents)
                    continue
                }
                if let target = name(filters[index].target) {
                    let keys = filters[index].keys
                    frames.append(
                        .filter(
                            ExistenceFilter(target: target, count: keys.count, names: BloomFilter(keys, in: database))))
                }
                filters[index].keys = []
                index += 1
            case .currents:
                let names = step.currents.compactMap(name)
                if !names.isEmpty {
                    let token = token()
                    frames.append(.targetChange(TargetChange(.current, targets: names, resumeToken: token, readTime: time)))
                }
                enter(.snapshot)
            case .snapshot:
                let token = token(except: laggards)
                frames.append(.targetChange(TargetChange(.noChange, resumeToken: token, readTime: time)))
                enter(.done)
            case .done: break
            }
        }
        return frames
    }

    private func token(except laggards: [Int32: DocumentVersion?] = [:]) -> ByteSlice {
        ListenToken(time: time, laggards: laggards, history: history?.mark, run: history?.runs?.mark).bytes
    }

    private mutating func enter(_ next: Part) {
        part = next
        index = 0
        inner = 0
    }

    private mutating func appendFirstState(to frames: inout [ListenResponse], _ name: (Int) -> Int32?) {
        guard index < step.firstStates.count else { return enter(.documents) }
        let first = step.firstStates[index]
        guard inner < first.changes.count, let target = name(first.target) else {
            firstStateCount -= first.changes.count - inner
            index += 1
            inner = 0
            return
        }
        switch first.changes[inner] {
        case .update(let document):
            framed += document.fields.bytes.count
            frames.append(.documentChange(database, document, targets: [target], removedFrom: []))
        case .remove(let key):
            if let document = first.departed[key] {
                framed += document.fields.bytes.count
                frames.append(.documentChange(database, document, targets: [], removedFrom: [target]))
            } else if first.withheld.contains(key) {
                frames.append(.documentRemove(database, key, removedFrom: [target], readTime: first.readTime))
            } else {
                frames.append(.documentDelete(database, key, removedFrom: [target], readTime: first.readTime))
            }
        }
        inner += 1
        firstStateCount -= 1
    }

    /// One frame for all targets that see the same document (LS-16); projections turn one document into several.
    private mutating func append(_ news: PendingStep.DocumentNews, to frames: inout [ListenResponse], _ name: (Int) -> Int32?) {
        var seen: [(document: Document, targets: [Int32], removedFrom: [Int32])] = []
        var deletedFrom: [Int32] = []
        var withheldFrom: [Int32] = []
        var withheldAt = DocumentVersion.none
        // It may have been created again where these targets do not see it.
        var deletedAt = DocumentVersion.none
        for entry in news.states {
            guard let target = name(entry.target) else { continue }
            switch entry.state {
            case .deleted(let time):
                deletedFrom.append(target)
                deletedAt = max(deletedAt, time)
            case .withheld(let time):
                withheldFrom.append(target)
                withheldAt = max(withheldAt, time)
            case .matches(let document):
                seen[Self.index(of: document, in: &seen)].targets.append(target)
            case .departed(let document):
                seen[Self.index(of: document, in: &seen)].removedFrom.append(target)
            }
        }
        for (document, targets, removedFrom) in seen {
            framed += document.fields.bytes.count
            frames.append(.documentChange(database, document, targets: targets, removedFrom: removedFrom))
        }
        if !withheldFrom.isEmpty {
            frames.append(.documentRemove(database, news.key, removedFrom: withheldFrom, readTime: withheldAt))
        }
        if !deletedFrom.isEmpty {
            frames.append(.documentDelete(database, news.key, removedFrom: deletedFrom, readTime: deletedAt))
        }
    }

    private static func index(
        of document: Document, in seen: inout [(document: Document, targets: [Int32], removedFrom: [Int32])]
    ) -> Int {
        if let index = seen.firstIndex(where: { $0.document == document }) { return index }
        seen.append((document, [], []))
        return seen.count - 1
    }
}
