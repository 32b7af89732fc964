// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Reads one `IndexScan`: of one index, or skipping through several that must agree.
final class IndexWalk {
    private struct Leg {
        let cursor: any IndexCursor
        let prefixCount: Int
        let prefix: [UInt8]
    }

    let scan: IndexScan
    private let legs: [Leg]
    private let counters: QueryCounters
    private var hasEnded = false

    init(
        _ scan: IndexScan, in collection: CollectionPath?, over source: some DocumentSource, counters: QueryCounters
    ) throws(FirestoreError) {
        self.scan = scan
        self.counters = counters
        var legs: [Leg] = []
        for leg in scan.legs {
            let cursor = try source.entries(
                of: leg.index, in: collection, range: leg.range, descending: scan.isBackward)
            legs.append(Leg(cursor: cursor, prefixCount: leg.prefix.count, prefix: leg.prefix))
        }
        self.legs = legs
    }

    var document: DocumentHandle { legs[0].cursor.document }

    /// The current entry's key after the fixed columns, valid until the next move.
    var suffix: UnsafeRawBufferPointer { suffix(of: legs[0]) }

    private func suffix(of leg: Leg) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: leg.cursor.key[leg.prefixCount...])
    }

    /// Moves to the next entry that passes the tests of the columns; returns false at the end.
    func next() throws(FirestoreError) -> Bool {
        while try nextCommon() {
            if !scan.hasTests || scan.accepts(suffix: suffix) { return true }
        }
        return false
    }

    private func advance(_ leg: Leg) throws(FirestoreError) -> Bool {
        guard try leg.cursor.next() else {
            hasEnded = true
            return false
        }
        counters.entriesRead += 1
        return true
    }

    private func nextCommon() throws(FirestoreError) -> Bool {
        guard !hasEnded, try advance(legs[0]) else { return false }
        guard legs.count > 1 else { return true }
        var target = Array(suffix)
        // Moves the legs to the target one after the other; a leg that passes it sets a new target.
        var (agreeing, place) = (1, 1)
        while agreeing < legs.count {
            let leg = legs[place]
            try leg.cursor.seek(leg.prefix + target)
            guard try advance(leg) else { return false }
            let found = suffix(of: leg)
            if found.elementsEqual(target) {
                agreeing += 1
            } else {
                target = Array(found)
                agreeing = 1
            }
            place = (place + 1) % legs.count
        }
        return true
    }
}
