// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreSemantics

/// The sketches of vectors that searches of a database have made, within a bound of memory.
///
/// One is made by the second search of its vectors: it takes some of the time of a search, and memory.
package final class VectorSketches: Sendable {
    /// The vectors of one dimension in a field of a collection.
    package struct Place: Sendable, Hashable {
        package let collection: CollectionPath
        package let field: FieldPathSegments
        package let dimension: Int

        package init(_ search: VectorSearch, in collection: CollectionPath) {
            self.collection = collection
            field = search.field
            dimension = search.vector.count
        }
    }

    private struct Kept {
        var vectors: SketchedVectors
        /// The number of the search that used it last.
        var used: Int

        var bytes: Int { vectors.sketch.bytes }
    }

    private struct State {
        var kept: [Place: Kept] = [:]
        /// Searched once, or known to have more vectors than fit.
        var known: [Place: Knowledge] = [:]
        var searches = 0

        var bytes: Int { kept.values.reduce(0) { $0 + $1.bytes } }
    }

    private enum Knowledge { case searched, tooLarge }

    /// How many bytes all sketches of the database may take.
    private let most: Int
    private let memory: SketchMemory
    private let state = Mutex(State())

    package init(most: Int, memory: SketchMemory = .process) {
        self.most = most
        self.memory = memory
    }

    deinit { memory.release(state.withLock { $0.bytes }) }

    /// How many bytes a new sketch may take; 0 while other databases leave no room for the largest.
    package var room: Int { memory.left >= most ? most : 0 }

    /// The sketch for a search that is about to read.
    package func vectors(for place: Place) -> SketchedVectors? {
        state.withLock { state in
            state.searches += 1
            state.kept[place]?.used = state.searches
            return state.kept[place]?.vectors
        }
    }

    /// Whether the search that asks is to make a sketch.
    package func isWanted(for place: Place) -> Bool {
        state.withLock { state in
            if let knowledge = state.known[place] { return knowledge == .searched }
            // Callers choose places.
            if state.known.count >= Self.mostPlaces { state.known = [:] }
            state.known[place] = .searched
            return false
        }
    }

    private static let mostPlaces = 1_000

    /// Keeps a sketch, unless a newer one is kept or other databases take the memory. The ones that have not been used for longest make
    /// room.
    package func keep(_ vectors: SketchedVectors, for place: Place) {
        state.withLock { state in
            if let kept = state.kept[place] {
                guard kept.vectors.time <= vectors.time else { return }
                if kept.vectors.sketch === vectors.sketch { return state.kept[place] = Kept(vectors: vectors, used: state.searches) }
            }
            remove(place, &state)
            let bytes = vectors.sketch.bytes
            while state.bytes + bytes > most, let oldest = state.kept.min(by: { $0.value.used < $1.value.used }) {
                remove(oldest.key, &state)
            }
            if memory.take(bytes) { state.kept[place] = Kept(vectors: vectors, used: state.searches) }
        }
    }

    private func remove(_ place: Place, _ state: inout State) {
        if let kept = state.kept.removeValue(forKey: place) { memory.release(kept.bytes) }
    }

    /// No sketch of the place is made again: it would be too large.
    package func refuse(_ place: Place) { state.withLock { $0.known[place] = .tooLarge } }

    package func remove(_ place: Place) { state.withLock { remove(place, &$0) } }
}
