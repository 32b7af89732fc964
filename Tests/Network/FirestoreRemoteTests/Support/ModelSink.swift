// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A sink that follows a target and reports everything that must not happen: time that goes back,
/// a state reported twice, a document removed that was not there, half a commit.
final class ModelSink: WatchSink {
    private struct State {
        var documents: [DocumentKey: Document] = [:]
        var last = DocumentVersion.none
        var batches = 0
        var complaints: [String] = []
    }

    private let state = Mutex(State())
    /// All documents always have the same number: every commit gives them one together (LS-17).
    private let isEven: Bool

    init(isEven: Bool = false) { self.isEven = isEven }

    func receive(_ batch: WatchBatch) {
        state.withLock { state in
            if batch.readTime < state.last { state.complaints.append("goes back in time") }
            if state.batches == 0, !batch.isReset { state.complaints.append("begins with a difference") }
            if batch.isReset { state.documents = [:] }
            for change in batch.changes {
                switch change {
                case .update(let document):
                    if let known = state.documents.updateValue(document, forKey: document.key), known.updateTime >= document.updateTime {
                        state.complaints.append(
                            "\(document.key.path) of \(document.updateTime.microseconds) is told over \(known.updateTime.microseconds), "
                                + "at \(batch.readTime.microseconds) after \(state.last.microseconds)")
                    }
                case .remove(let key):
                    if state.documents.removeValue(forKey: key) == nil { state.complaints.append("\(key.path) is removed and was not there") }
                }
            }
            if isEven, Set(state.documents.values.map(\.number)).count > 1 { state.complaints.append("half a commit") }
            state.last = batch.readTime
            state.batches += 1
        }
    }

    func fail(_ error: FirestoreError) { state.withLock { $0.complaints.append("fails: \(error)") } }

    var complaints: [String] { state.withLock { $0.complaints } }
    var batches: Int { state.withLock { $0.batches } }

    /// Knows exactly these documents in exactly these states.
    func shows(_ documents: [Document]) -> Bool {
        state.withLock { state in
            state.documents.count == documents.count
                && documents.allSatisfy { state.documents[$0.key]?.updateTime == $0.updateTime && state.documents[$0.key]?.fields == $0.fields }
        }
    }
}
