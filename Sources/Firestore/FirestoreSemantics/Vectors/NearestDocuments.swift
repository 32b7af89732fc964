// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The nearest of the documents offered so far, ordered by distance, with ties resolved by name (QR-58).
package struct NearestDocuments: Sendable {
    private struct Entry {
        let document: Document
        let distance: Double
    }

    private let search: VectorSearch
    private let distance: VectorDistance
    private let field: CompiledPath
    private var entries: [Entry] = []

    package init(_ search: VectorSearch) {
        self.search = search
        distance = VectorDistance(search)
        field = CompiledPath(search.field)
    }

    /// Copies the document out only if it is among the nearest so far.
    mutating func offer(_ scanned: borrowing ScannedDocument) {
        guard let value = field.value(in: scanned.view), let distance = distance.distance(to: value),
            isWithinThreshold(distance)
        else { return }
        if entries.count == search.limit, let last = entries.last {
            let order = compare(distance, last.distance)
            guard order < 0 || (order == 0 && scanned.key < last.document.key) else { return }
        }
        insert(Entry(document: scanned.document(), distance: distance))
    }

    /// Whether no document can be among the nearest whose distance is at least `bound`, or at most `-bound` where larger is nearer.
    func excludes(_ bound: Double) -> Bool {
        let sign: Double = search.measure == .dotProduct ? -1 : 1
        if let threshold = search.threshold, bound > sign * threshold { return true }
        guard entries.count == search.limit, let last = entries.last else { return false }
        // Of two at the same distance the name decides.
        return bound > sign * last.distance
    }

    /// Adds the documents found in another part of the same query.
    package mutating func merge(_ other: NearestDocuments) {
        for entry in other.entries { insert(entry) }
    }

    /// The documents as the search returns them: nearest first, with their distances if requested (QR-60).
    package var documents: [Document] {
        guard let field = search.resultField?.segments.first else { return entries.map(\.document) }
        return entries.map { entry in
            entry.document.replacingFields(
                entry.document.fields.setting(field, to: ValueBytes(.double(entry.distance))))
        }
    }

    private mutating func insert(_ entry: Entry) {
        entries.insert(entry, at: position(of: entry.document.key, entry.distance))
        if entries.count > search.limit { entries.removeLast() }
    }

    /// Inclusive; NaN is never within a threshold (QR-59).
    private func isWithinThreshold(_ distance: Double) -> Bool {
        guard let threshold = search.threshold else { return true }
        return search.measure == .dotProduct ? distance >= threshold : distance <= threshold
    }

    /// Negative if the left one is nearer. NaN is farthest.
    private func compare(_ left: Double, _ right: Double) -> Int {
        if left.isNaN || right.isNaN { return (left.isNaN ? 1 : 0) - (right.isNaN ? 1 : 0) }
        if left == right { return 0 }
        return (left < right) == (search.measure != .dotProduct) ? -1 : 1
    }

    private func position(of key: DocumentKey, _ distance: Double) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            let order = compare(entries[middle].distance, distance)
            if order < 0 || (order == 0 && entries[middle].document.key < key) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
