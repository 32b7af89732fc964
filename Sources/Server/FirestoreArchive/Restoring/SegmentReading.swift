// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage

/// Reads a chain of segments in order, several objects ahead, and checks that each is what its name says and follows the one before it.
struct SegmentReading {
    /// Objects that are fetched before they are needed.
    private static let ahead = 8

    let store: any ArchiveStore
    let layout: ArchiveLayout
    let history: UInt64
    /// Of the last segment that was read; nil if it is not known.
    var hash: [UInt8]?
    /// The end of the last segment that was read.
    private(set) var position: DocumentVersion?

    init(_ store: any ArchiveStore, _ layout: ArchiveLayout, history: UInt64) {
        self.store = store
        self.layout = layout
        self.history = history
    }

    /// Calls `body` with each segment.
    mutating func run(
        _ names: [SegmentName], _ body: (ArchiveSegment) async throws(FirestoreError) -> Void
    ) async throws(FirestoreError) {
        var fetches: [Task<Result<[UInt8], FirestoreError>, Never>] = []
        var next = 0
        defer { for fetch in fetches { fetch.cancel() } }
        for name in names {
            while next < names.count, fetches.count < Self.ahead {
                fetches.append(store.fetch(layout.segment(names[next], history)))
                next += 1
            }
            let bytes = try await fetches.removeFirst().value.get()
            for segment in try read(bytes, name) { try await body(segment) }
        }
    }

    /// The segments of an object.
    mutating func read(_ bytes: [UInt8], _ name: SegmentName) throws(FirestoreError) -> [ArchiveSegment] {
        let object = layout.segment(name, history)
        var segments: [ArchiveSegment] = []
        var (end, last) = (name.after, hash)
        if let position, position != name.after { throw .damagedObject(object, "the piece before it is missing") }
        let history = history
        try ArchiveSegment.read(bytes, name: object) { (segment, hash) throws(FirestoreError) in
            guard segment.history == history, segment.lease == name.lease, segment.after == end else {
                throw .damagedObject(object, "it has other commits than its name says")
            }
            if let last, segment.previous != last { throw .damagedObject(object, "it does not follow the piece before it") }
            (end, last) = (segment.through, hash)
            segments.append(segment)
        }
        guard end == name.through else { throw .damagedObject(object, "it has other commits than its name says") }
        (position, hash) = (end, last)
        return segments
    }
}
