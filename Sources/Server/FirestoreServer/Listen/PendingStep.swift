// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The data to be sent next: everything since the last step, merged, so that its size depends on the number of changed documents, not
/// on the number of changes.
struct PendingStep {
    /// The initial state of a watch, stored as delivered: it shares its documents with the service.
    struct FirstState {
        let target: Int
        let changes: [WatchBatch.Change]
        let readTime: DocumentVersion
        let departed: [DocumentKey: Document]
        let withheld: Set<DocumentKey>
    }

    /// The changes of one document for some targets.
    struct DocumentNews {
        enum State {
            case matches(Document)
            /// No longer matches; with its current state.
            case departed(Document)
            /// Deleted, as of this time.
            case deleted(DocumentVersion)
            /// No longer matches, and the peer must not learn its current state.
            case withheld(DocumentVersion)

            var size: Int {
                switch self {
                case .matches(let document), .departed(let document): document.fields.bytes.count
                case .deleted, .withheld: 0
                }
            }
        }

        let key: DocumentKey
        /// By number of the target, ascending.
        var states: [(target: Int, state: State)] = []
    }

    /// Targets whose states start over (LS-13).
    private(set) var resets: [Int] = []
    private(set) var firstStates: [FirstState] = []
    private(set) var documents: [DocumentNews] = []
    private var indices: [DocumentKey: Int] = [:]
    /// Targets whose peers want to compare, with the keys of everything that matches (LS-25, LS-28).
    private(set) var filters: [Int: Set<DocumentKey>] = [:]
    /// Targets whose initial states are complete (LS-12).
    private(set) var currents: [Int] = []
    /// How much is held in addition to initial states.
    private(set) var heldChanges = 0
    private(set) var heldBytes = 0
    private(set) var firstStateCount = 0

    var isEmpty: Bool {
        resets.isEmpty && firstStates.isEmpty && documents.isEmpty && currents.isEmpty
    }

    // MARK: Folding

    /// A target starts over: its pending changes are discarded.
    mutating func reset(_ target: Int) {
        drop(target)
        resets.append(target)
    }

    /// The first batch of a watch, with `changes` instead of its changes.
    mutating func begin(_ target: Int, _ batch: WatchBatch, _ changes: [WatchBatch.Change]) {
        guard !changes.isEmpty else { return }
        let departed = Dictionary(batch.departed.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        firstStates.append(
            FirstState(
                target: target, changes: changes, readTime: batch.readTime, departed: departed, withheld: Set(batch.withheld)))
        firstStateCount += changes.count
    }

    /// All keys that one of the target's watches matches.
    mutating func compare(_ target: Int, _ keys: [DocumentKey]) { filters[target, default: []].formUnion(keys) }

    mutating func completed(_ target: Int) { if !currents.contains(target) { currents.append(target) } }

    mutating func fold(_ target: Int, _ batch: WatchBatch) {
        let departed = Dictionary(batch.departed.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        let withheld = Set(batch.withheld)
        for change in batch.changes {
            switch change {
            case .update(let document):
                filters[target]?.insert(document.key)
                set(document.key, target, .matches(document))
            case .remove(let key):
                filters[target]?.remove(key)
                let gone: DocumentNews.State = withheld.contains(key) ? .withheld(batch.readTime) : .deleted(batch.readTime)
                set(key, target, departed[key].map { .departed($0) } ?? gone)
            }
        }
    }

    private mutating func set(_ key: DocumentKey, _ target: Int, _ state: DocumentNews.State) {
        let index = indices[key] ?? documents.count
        if index == documents.count {
            indices[key] = index
            documents.append(DocumentNews(key: key))
        }
        heldBytes += state.size
        // The service calls watches in the order in which they started, so this is nearly always the end.
        var low = documents[index].states.count
        if let last = documents[index].states.last, last.target >= target {
            var high = low
            low = 0
            while low < high {
                let middle = (low + high) / 2
                if documents[index].states[middle].target < target { low = middle + 1 } else { high = middle }
            }
        }
        if low < documents[index].states.count, documents[index].states[low].target == target {
            heldBytes -= documents[index].states[low].state.size
            documents[index].states[low].state = state
        } else {
            heldChanges += 1
            documents[index].states.insert((target, state), at: low)
        }
    }

    /// Takes the step for sending. A filter waits for the complete initial state of its target.
    mutating func take() -> PendingStep {
        var step = self
        self = PendingStep()
        for (target, keys) in step.filters where !step.currents.contains(target) {
            filters[target] = keys
            step.filters[target] = nil
        }
        return step
    }

    /// Discards the pending changes of a target. Its documents stay until the step is sent, which checks which targets exist.
    mutating func drop(_ target: Int) {
        resets.removeAll { $0 == target }
        currents.removeAll { $0 == target }
        filters[target] = nil
        firstStates.removeAll { first in
            guard first.target == target else { return false }
            firstStateCount -= first.changes.count
            return true
        }
        for index in documents.indices {
            documents[index].states.removeAll { entry in
                guard entry.target == target else { return false }
                heldChanges -= 1
                heldBytes -= entry.state.size
                return true
            }
        }
    }
}
