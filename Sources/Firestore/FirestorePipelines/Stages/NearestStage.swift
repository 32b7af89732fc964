// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// Passes the rows whose vectors are nearest to another one, nearest first. Rows without a vector of its dimension are dropped.
final class NearestStage: RowReceiver {
    private struct Entry {
        let distance: Double
        let number: Int
        let held: HeldRow
    }

    private let nearest: NearestRows
    private let distances: VectorDistance
    private let holder: RowHolder
    private let next: any RowReceiver
    private var entries: [Entry] = []
    private var number = 0

    init(_ nearest: NearestRows, _ holder: RowHolder, _ next: any RowReceiver) {
        (self.nearest, self.holder, self.next) = (nearest, holder, next)
        distances = VectorDistance(
            VectorSearch(field: .documentID, vector: nearest.vector, measure: nearest.measure, limit: nearest.limit ?? 1))
    }

    func take(_ row: Row) throws(FirestoreError) -> ScanStep {
        guard nearest.limit != 0 else { return .stop }
        let value = try nearest.field.value(row, holder.execution)
        guard let distance = value.withView({ distances.distance(to: $0) }) else { return .next }
        entries.append(Entry(distance: distance, number: number, held: try holder.hold(row)))
        number += 1
        // More than fits into memory need not be bounded, and twice that may be more than an `Int` holds.
        if let limit = nearest.limit, limit <= 1 << 30, entries.count >= 2 * limit + 64 {
            try holder.execution.sort(&entries, by: precedes)
            for entry in entries[limit...] { holder.release(entry.held) }
            entries.removeLast(entries.count - limit)
        }
        return .next
    }

    /// The largest dot product is the nearest; NaN is behind all others.
    private func precedes(_ left: Entry, _ right: Entry) -> Bool {
        if left.distance.isNaN != right.distance.isNaN { return right.distance.isNaN }
        if left.distance != right.distance, !left.distance.isNaN {
            return nearest.measure == .dotProduct ? left.distance > right.distance : left.distance < right.distance
        }
        return left.number < right.number
    }

    func end() throws(FirestoreError) {
        try holder.execution.sort(&entries, by: precedes)
        if let limit = nearest.limit, entries.count > limit {
            for entry in entries[limit...] { holder.release(entry.held) }
            entries.removeLast(entries.count - limit)
        }
        entries.reverse()
        while let entry = entries.popLast() { if try pass(entry) == .stop { break } }
        for entry in entries { holder.release(entry.held) }
        entries = []
    }

    private func pass(_ entry: Entry) throws(FirestoreError) -> ScanStep {
        defer { holder.release(entry.held) }
        try holder.execution.step()
        holder.restore(entry.held)
        holder.execution.frame[nearest.distanceSlot] = .double(entry.distance)
        var flight = RowFlight(Row(entry.held.row), holder.execution.budget)
        if let distance = nearest.distance { try flight.replace(by: distance.apply(to: flight.row, holder.execution)) }
        return try next.take(flight.row)
    }
}
