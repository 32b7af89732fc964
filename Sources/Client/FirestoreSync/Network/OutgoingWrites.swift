// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

/// The batches that were taken from the queue to be sent, and how far the queue was sent (SY-50). Decides; performs nothing.
///
/// Batches are sent and answered in the order of their numbers.
struct OutgoingWrites {
    /// The number of batches that are recorded as sent together, so that not every one of a long queue costs a transaction.
    private static let recordedAhead: BatchID = 100

    /// Oldest first. They are in flight while the channel is open.
    private(set) var batches: [PendingBatch] = []
    private var bytes = 0
    var channel = WriteChannel()
    /// The newest batch that the authority may have: from this connection, or from an earlier one that broke before the answer, of this
    /// process or another.
    private(set) var doubtful: BatchID = 0
    /// The newest batch that the store has recorded as sent.
    private var recorded: BatchID = 0
    /// Up to this batch nothing waits in the queue that was not taken; nil if that is not known.
    private var complete: BatchID?

    var isEmpty: Bool { batches.isEmpty }

    var last: PendingBatch? { batches.last }

    var inFlight: Set<BatchID> { channel.phase == .open ? Set(batches.map(\.id)) : [] }

    // MARK: The window

    /// The number and the size of the batches that may be taken; nil if the window is full.
    func room(in transport: any SyncTransport) -> (batches: Int, bytes: Int)? {
        let room = (transport.writeWindow - batches.count - channel.unconfirmed, transport.writeWindowBytes - bytes)
        return room.0 > 0 && room.1 > 0 ? room : nil
    }

    /// Whether so many new batches are sent immediately.
    func sendsAtOnce(_ count: Int, in transport: any SyncTransport) -> Bool {
        channel.phase == .open && batches.count + count <= transport.writeWindow
    }

    /// Whether nothing waits in the queue before a new batch.
    func isNext(_ id: BatchID) -> Bool { complete == id - 1 }

    /// Whether no batch up to this one waits in the queue.
    func hasAll(upTo id: BatchID) -> Bool { complete.map { $0 >= id } ?? false }

    /// The queue has no further batch up to this one.
    mutating func tookAll(upTo id: BatchID) { complete = id }

    mutating func append(_ batch: PendingBatch) {
        if isNext(batch.id) { complete = batch.id }
        batches.append(batch)
        bytes += batch.bytes
    }

    mutating func removeFirst() -> PendingBatch {
        let batch = batches.removeFirst()
        bytes -= batch.bytes
        return batch
    }

    /// Forgets a batch that is no longer in the queue.
    mutating func remove(_ id: BatchID) {
        batches.removeAll { $0.id == id }
        bytes = batches.reduce(0) { $0 + $1.bytes }
    }

    /// Forgets all batches, which stay in the queue.
    mutating func removeAll() { (batches, bytes, complete) = ([], 0, nil) }

    // MARK: Sending

    /// A batch is sent. Returns the token for it.
    mutating func sent(_ id: BatchID) -> ByteSlice {
        doubtful = max(doubtful, id)
        return channel.sent()
    }

    /// The batch up to which the store has to record the queue as sent before `id` is; nil if it has.
    ///
    /// `newest`: the newest batch that may be sent.
    func mark(for id: BatchID, newest: BatchID) -> BatchID? {
        id > recorded ? max(id, min(id + Self.recordedAhead, newest)) : nil
    }

    mutating func recorded(upTo id: BatchID) { recorded = max(recorded, id) }

    /// Continues the stream that the store has; what it has recorded as sent may have been applied.
    mutating func resume(_ resumption: WriteStreamResumption?, sentUpTo id: BatchID) {
        channel.resume(resumption)
        (doubtful, recorded, complete) = (id, id, nil)
    }
}
