// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreIndexing
import FirestoreSemantics
import FirestoreStorage

/// A vector search through a whole collection is shared between readers: most of its time is spent on reading pages.
extension QueryRead {
    /// Fewer documents are searched as quickly by one reader.
    static let smallestShared = 2_000
    /// Of the store's five; one stays free for other reads.
    private static let readers = 4

    /// The documents found by one reader, and its statistics.
    private struct Part: Sendable {
        let nearest: NearestDocuments
        let sketch: VectorSketchBuilder?
        let documentsRead: Int
        let matches: Int
        let time: DocumentVersion
    }

    /// nil if there is nothing to share, or if the readers see different moments because of a commit just as they began.
    func share(_ search: VectorSearch, in store: any DocumentStore) async throws(FirestoreError) -> Timed<[Document]>? {
        guard case .collection(let collection) = query.scope else { return nil }
        let boundaries = try await store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) -> [DocumentKey] in
            guard try QueryExecutor.plan(query, over: snapshot, database: database).scansAll else { return [] }
            return try snapshot.boundaries(of: collection, parts: Self.readers, smallest: Self.smallestShared)
        }
        guard !boundaries.isEmpty else { return nil }
        let place = VectorSketches.Place(search, in: collection)
        // Documents that the query does not accept would be missing.
        let isWhole = QueryMatcher(query, database: database).acceptsAll && query.limit == nil && query.offset == 0
        let isSketched = isWhole && indexes.sketches.isWanted(for: place)
        let room = isSketched ? indexes.sketches.room / (boundaries.count + 1) : 0
        report.began()
        let found = await withTaskGroup(of: Result<Part, FirestoreError>.self) { group in
            for part in VectorSearchExecutor.parts(of: query, at: boundaries, database: database) {
                group.addTask { await Self.find(search, among: part, in: store, database: database, room: room) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var nearest = NearestDocuments(search)
        let counters = QueryCounters()
        var time: DocumentVersion?
        var sketches: [VectorSketchBuilder] = []
        for part in found {
            let part = try part.get()
            sketches += part.sketch.map { [$0] } ?? []
            guard time == nil || time == part.time else { return nil }
            time = part.time
            nearest.merge(part.nearest)
            counters.documentsRead += part.documentsRead
            counters.matches += part.matches
        }
        guard let time else { return nil }
        if !sketches.isEmpty { keep(sketches, of: place, time) }
        indexes.observe(query, counters, results: counters.matches, at: time)
        report.ended(counters)
        return Timed(answer: QueryAnswer.documents(of: query, nearest: nearest), time: time)
    }

    private func keep(_ parts: [VectorSketchBuilder], of place: VectorSketches.Place, _ time: DocumentVersion) {
        guard parts.allSatisfy(\.isComplete), let sketch = VectorSketchBuilder.sketch(parts) else { return indexes.sketches.refuse(place) }
        indexes.sketches.keep(SketchedVectors(sketch, time: time), for: place)
    }

    /// - Parameter room: For a sketch of the part, in bytes; 0 for none.
    private static func find(
        _ search: VectorSearch, among query: StructuredQuery, in store: any DocumentStore, database: DatabaseID, room: Int
    ) async -> Result<Part, FirestoreError> {
        do throws(FirestoreError) {
            return .success(
                try await store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in
                    let counters = QueryCounters()
                    var sketch = room > 0 ? VectorSketchBuilder(search.field, dimension: search.vector.count, most: room) : nil
                    let nearest = try VectorSearchExecutor.nearest(
                        search, among: query, over: snapshot, database: database, counters: counters
                    ) { sketch?.add($0) }
                    return Part(
                        nearest: nearest, sketch: sketch, documentsRead: counters.documentsRead, matches: counters.matches,
                        time: snapshot.readTime)
                })
        } catch {
            return .failure(error)
        }
    }
}
