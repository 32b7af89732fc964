// SPDX-License-Identifier: Apache-2.0

/// Pending batches as transactions have read them, so that not every answer to a batch reads the others of its documents again.
///
/// Only for as long as no other process writes and no transaction fails.
struct KeptBatches {
    private static let most = 4 << 20

    private var batches: [BatchID: BatchOfDocuments] = [:]
    private var bytes = 0

    subscript(id: BatchID) -> BatchOfDocuments? {
        get { batches[id] }
        set {
            if let old = batches.removeValue(forKey: id) { bytes -= old.bytes }
            guard let newValue else { return }
            batches[id] = newValue
            bytes += newValue.bytes
        }
    }

    /// Retains the oldest, as far as there is room: they are needed until they are sent.
    mutating func retain(_ read: [BatchID: BatchOfDocuments]) {
        for (id, batch) in read where batches[id] != nil { self[id] = batch }
        guard bytes < Self.most else { return }
        for (id, batch) in read.sorted(by: { $0.key < $1.key }) where bytes + batch.bytes <= Self.most { self[id] = batch }
    }
}
