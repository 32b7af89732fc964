// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The number of a batch. Ascends in the order of the calls, over all users of a cache, and is never used again.
package typealias BatchID = Int64

/// The writes of one call that wait for the authority (SY-2).
package struct PendingBatch: Sendable {
    package let id: BatchID
    package let user: SyncUser
    /// When the call was made, in microseconds since 1970.
    package let localWriteTime: Int64
    /// The values that increments were computed from, as patches (SY-37). Never sent.
    package let baseWrites: [Write]
    package let writes: [Write]
    /// What a feature has attached to the batch, in the feature's own form; nil for most batches.
    var attachment: ByteSlice?

    /// About the size of its message.
    var bytes: Int { writes.reduce(0) { $0 + $1.roughBytes } }

    /// Every document it writes, once.
    package var keys: [DocumentKey] {
        var seen: Set<DocumentKey> = []
        return writes.map(\.key).filter { seen.insert($0).inserted }
    }
}

extension Write {
    /// About the size of its message: names and values exactly, what surrounds them as usual.
    fileprivate var roughBytes: Int {
        var bytes = 64 + key.path.utf8.count
        switch operation {
        case .set(let fields): bytes += fields.bytes.count
        case .patch(let fields, let mask): bytes += fields.bytes.count + mask.count * 16
        case .delete, .verify: break
        }
        for transform in transforms {
            switch transform.kind {
            case .serverTimestamp, .increment, .maximum, .minimum: bytes += 32
            case .appendMissingElements(let elements), .removeAllFromArray(let elements):
                bytes += 32 + elements.reduce(0) { $0 + ValueBytes($1).bytes.count }
            }
        }
        return bytes
    }
}
