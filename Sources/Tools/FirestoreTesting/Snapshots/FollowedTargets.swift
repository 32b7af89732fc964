// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseFirestore
import FirestoreCore

/// The queries and documents that a test follows, with a listener each, which starts at the first request.
final class FollowedTargets: Sendable {
    private struct State {
        var queries: [Query: SnapshotStream<QuerySnapshot>] = [:]
        var documents: [DocumentReference: SnapshotStream<DocumentSnapshot>] = [:]
    }

    typealias Start<Snapshot> =
        @Sendable (
            DispatchQueue, @escaping @Sendable (Result<Snapshot, any Error>) -> Void
        ) -> any ListenerRegistration

    private let state = Mutex(State())
    /// Snapshots are only stored on it, so that none waits for another.
    private let queue = DispatchQueue(label: "hearth.testing.snapshots")

    func stream(of query: Query, _ start: Start<QuerySnapshot>) -> SnapshotStream<QuerySnapshot> {
        stream(of: query, in: \.queries, start)
    }

    func stream(of document: DocumentReference, _ start: Start<DocumentSnapshot>) -> SnapshotStream<DocumentSnapshot> {
        stream(of: document, in: \.documents, start)
    }

    private func stream<Target: Hashable, Snapshot>(
        of target: Target, in streams: WritableKeyPath<State, [Target: SnapshotStream<Snapshot>]>, _ start: Start<Snapshot>
    ) -> SnapshotStream<Snapshot> {
        let (stream, isNew) = state.withLock { state in
            if let stream = state[keyPath: streams][target], !stream.hasFailed { return (stream, false) }
            let stream = SnapshotStream<Snapshot>()
            state[keyPath: streams][target] = stream
            return (stream, true)
        }
        if isNew { stream.attach(start(queue) { [weak stream] in stream?.receive($0) }) }
        return stream
    }
}
