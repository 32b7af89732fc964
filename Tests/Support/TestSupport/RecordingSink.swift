// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Records everything that a watch received, and maintains the documents that a client would know by now.
package final class RecordingSink: WatchSink {
    private struct State {
        var batches: [WatchBatch] = []
        var errors: [FirestoreError] = []
        var complaints: [String] = []
        var documents: [DocumentKey: Document]
    }

    private let state: Mutex<State>

    /// A sink of a client that knew these documents before, as one does that resumes.
    package init(knowing documents: [Document] = []) {
        state = Mutex(State(documents: Dictionary(uniqueKeysWithValues: documents.map { ($0.key, $0) })))
    }

    package func receive(_ batch: WatchBatch) {
        state.withLock { state in
            if let last = state.batches.last, batch.readTime < last.readTime { state.complaints.append("goes back in time") }
            if batch.isReset { state.documents = [:] }
            for change in batch.changes {
                switch change {
                case .update(let document): state.documents[document.key] = document
                case .remove(let key): state.documents[key] = nil
                }
            }
            if let keys = batch.keys { state.documents = state.documents.filter { keys.contains($0.key) } }
            state.batches.append(batch)
        }
    }

    package func fail(_ error: FirestoreError) { state.withLock { $0.errors.append(error) } }

    package var batches: [WatchBatch] { state.withLock { $0.batches } }
    package var errors: [FirestoreError] { state.withLock { $0.errors } }
    /// What no watch may do, such as going back in time.
    package var complaints: [String] { state.withLock { $0.complaints } }
    package var documents: [DocumentKey: Document] { state.withLock { $0.documents } }
    package var paths: [String] { documents.keys.sorted().map(\.path) }

    /// `+path` and `-path` for every change, one string per batch, resets marked.
    package var story: [String] {
        batches.map { batch in
            (batch.isReset ? "reset " : "")
                + batch.changes.map { change in
                    switch change {
                    case .update(let document): "+" + document.key.path
                    case .remove(let key): "-" + key.path
                    }
                }.sorted().joined(separator: " ")
        }
    }
}
