// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import FirestoreStorage

/// The start of watches: the states read for them, and the commits in the meantime.
///
/// Without a limit, the effect of a commit on a target follows from the documents before and after it. A resumed watch then needs
/// only the changes, and the target's view knows all documents only if a watch needed them. The content of a window must always
/// be known.
extension WatchTable {
    enum Beginning {
        /// The waiting watches can be called.
        case ready
        /// No watch is waiting any more.
        case gone
        /// Too much was committed in the meantime, or the state read is no longer sufficient: read again.
        case again
    }

    func plan(of start: WatchStart) -> WatchStartPlan? {
        guard let shared = targets[start.target], let state = shared.starts[start.number] else { return nil }
        return WatchStartPlan(
            target: shared.target, query: shared.view.query, firstQuery: shared.view.firstQuery,
            isWindow: shared.view.isWindow, needsState: shared.reported == nil, resumption: state.resumption)
    }

    /// Takes the state read. The watches that have begun have received everything up to that moment.
    mutating func begin(_ start: WatchStart, with state: WatchStartState) -> Beginning {
        guard let waiting = targets[start.target]?.starts[start.number] else { return .gone }
        let (missed, isTooMuch) = (waiting.missed, waiting.missedCount > waiting.bound)
        targets[start.target]?.starts[start.number]?.missed = []
        targets[start.target]?.starts[start.number]?.missedCount = 0
        if isTooMuch {
            targets[start.target]?.starts[start.number]?.bound *= 2
            return .again
        }
        let later = missed.filter { $0.time > state.time }
        guard case .window(let past, let documents) = state.content else {
            beginStream(start, with: state, later)
            return .ready
        }
        targets[start.target]?.starts[start.number]?.past = past
        guard reported(start.target) == nil else { return .ready }
        guard let documents else { return .again }
        reset(start.target, to: documents, at: state.time)
        for part in later { advance(start.target, by: part.changes, to: part.time) }
        return .ready
    }

    /// For a target without a limit.
    private mutating func beginStream(_ start: WatchStart, with state: WatchStartState, _ later: [CommittedChanges]) {
        guard let shared = targets[start.target], let resumption = shared.starts[start.number].map(\.resumption) else { return }
        var view = WatchedView(shared.target, database: database)
        var keys = state.keys.map { Set($0) }
        let changes = later.flatMap(\.changes)
        for change in changes where keys != nil {
            if change.new.map(view.matches) == true { keys?.insert(change.key) } else { keys?.remove(change.key) }
        }
        let time = max(reached, max(state.time, later.last?.time ?? .none))
        var batch = WatchBatch(readTime: time, basis: .known, changes: [])
        switch state.content {
        case .whole(let documents):
            view.begin(with: documents)
            view.apply(changes)
            _ = view.takeChanges()
            batch.basis = .nothing
            batch.changes = view.everything
            if resumption?.wantsKeys == true { keys = Set(view.keys) }
            if !shared.view.isKnown { targets[start.target]?.view = view }
        case .changes(let known):
            view.apply(known)
            view.apply(changes)
            (batch.changes, batch.departed) = view.takeChanges()
        case .newer(let documents):
            var newer = Dictionary(documents.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
            for change in changes { newer[change.key] = change.new.flatMap { view.matches($0) ? $0 : nil } }
            batch.basis = .partial
            batch.changes = newer.values.map { .update(view.projected($0)) }
        case .window: return
        }
        batch.keys = keys?.sorted()
        targets[start.target]?.starts[start.number]?.first = batch
        targets[start.target]?.reported = max(shared.reported ?? .none, max(state.time, later.last?.time ?? .none))
    }

    /// Documents of the state that a watch resumed from and that are no longer visible: the hub reads their current states.
    func gone(_ start: WatchStart) -> [DocumentKey] {
        guard let shared = targets[start.target], let waiting = shared.starts[start.number] else { return [] }
        if let first = waiting.first {
            // A deleted document may have been created again where this target does not see it.
            let known = Set(first.departed.map(\.key))
            return first.changes.compactMap { if case .remove(let key) = $0, !known.contains(key) { key } else { nil } }
        }
        guard let past = waiting.past else { return [] }
        return shared.view.difference(from: past).gone
    }

    /// The first batch of the waiting watches, which have begun with it.
    mutating func open(_ start: WatchStart, departed: [Document] = []) -> Delivery? {
        guard let shared = targets[start.target], let waiting = shared.starts[start.number], let reported = shared.reported else {
            return nil
        }
        targets[start.target]?.starts[start.number] = nil
        targets[start.target]?.registrations += waiting.registrations
        if var first = waiting.first {
            first.departed += departed.map(shared.view.projected)
            return Delivery(batch: first, registrations: waiting.registrations)
        }
        // A window without earlier watches has nothing to deliver beyond its first batch.
        _ = targets[start.target]?.view.takeChanges()
        var batch = WatchBatch(readTime: max(reported, reached), basis: .nothing, changes: [])
        if let past = waiting.past {
            batch.basis = .known
            batch.changes = shared.view.difference(from: past).changes
            batch.departed = departed.map(shared.view.projected)
        } else {
            batch.changes = shared.view.everything
        }
        if waiting.resumption?.wantsKeys == true { batch.keys = shared.view.keys }
        return Delivery(batch: batch, registrations: waiting.registrations)
    }
}
