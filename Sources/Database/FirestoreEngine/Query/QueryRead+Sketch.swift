// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreIndexing
import FirestoreSemantics
import FirestoreStorage

/// A vector search by the sketch that an earlier one has made (decision 61).
extension QueryRead {
    /// The answer by a sketch; nil if none is kept, or if reading all documents takes less time.
    func find(_ search: VectorSearch, bySketchIn store: any DocumentStore) async throws(FirestoreError) -> Timed<[Document]>? {
        guard case .collection(let collection) = query.scope, query.limit == nil, query.offset == 0 else { return nil }
        let place = VectorSketches.Place(search, in: collection)
        // Taken before the read begins, so that the read sees everything that the sketch has.
        guard let vectors = indexes.sketches.vectors(for: place) else { return nil }
        return try await store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in
            guard try QueryExecutor.plan(query, over: snapshot, database: database).scansAll,
                let vectors = try snapshot.updating(vectors, of: place)
            else { return nil }
            guard !vectors.isOutdated else {
                indexes.sketches.remove(place)
                return nil
            }
            indexes.sketches.keep(vectors, for: place)
            report.began()
            let counters = QueryCounters()
            let nearest = try VectorSearchExecutor.nearest(
                search, by: vectors, in: collection, among: query, over: snapshot, database: database, counters: counters)
            report.ended(counters)
            guard let nearest else { return nil }
            return Timed(answer: QueryAnswer.documents(of: query, nearest: nearest), time: snapshot.readTime)
        }
    }
}

extension StoreSnapshot {
    /// A sketch with what was committed since it was made; nil if the log no longer says what that is.
    fileprivate func updating(
        _ vectors: SketchedVectors, of place: VectorSketches.Place
    ) throws(FirestoreError) -> SketchedVectors? {
        guard vectors.time != readTime else { return vectors }
        guard vectors.time < readTime, try logFloor().microseconds <= vectors.time.microseconds + 1 else { return nil }
        var vectors = vectors
        try states(at: vectors.time, in: .collection(place.collection)) { state in
            vectors.changed.insert(state.key.id)
            return vectors.isOutdated ? .stop : .next
        }
        vectors.time = readTime
        return vectors
    }
}
