// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// An addition to the sync engine, such as pins or conflicts. Its folder in `Features` has its part in the engine, its part in the store
/// (`StoreFeature`), its tables and its methods for clients.
///
/// The engine has a list of features and knows none of them by type. It notifies them of events, and asks them where they may decide. A
/// feature lives as long as its store, which one engine after another may use; everything is called on the engine's queue. It may
/// use whatever the engine and the store offer within the module.
protocol SyncFeature: StoreFeature {
    /// The store is used by an engine, which owns the feature's state in memory from now on: none is left of an engine before.
    func attach(to engine: SyncEngine)
    func handle(_ event: SyncEvent)
    /// Reads from the cache what it knows of the current user: at the start, and when the user has changed.
    func load() throws(FirestoreError)
    /// Takes over what another process has changed in its tables.
    func reload() throws(FirestoreError)

    // MARK: Batches

    /// The first batch that must not be sent yet; 0 for the whole queue, nil for none.
    var firstHeldBatch: BatchID? { get }
    /// Whether a batch with an attachment may be sent while others are in flight.
    func maySend(_ batch: PendingBatch, behind inFlight: [PendingBatch]) -> Bool
    /// The writes as they are sent of a batch with an attachment; nil if it has not attached it.
    func request(of batch: PendingBatch) throws(FirestoreError) -> [Write]?
    /// The option with which a batch was made; nil if it is not the feature's.
    func option(of batch: PendingBatch) -> (any WriteOption)?
    /// Takes a batch that the authority has rejected, which stays in the queue; false if the rejection is final. `stream`: what resumes the
    /// Write stream behind it.
    func take(_ batch: PendingBatch, rejectedWith error: FirestoreError, stream: ByteSlice?) throws(FirestoreError) -> Bool
    /// Whether it has taken the batch after a rejection, so that the authority has not applied it.
    func holds(_ id: BatchID) -> Bool
    /// Whether the writes of rejected batches are stored.
    var retainsRejectedWrites: Bool { get }

    // MARK: Several processes

    /// The arbiter that decides which process runs the streams; nil if only this process can.
    var arbiter: (any StreamArbiter)? { get }
    /// Answers what another process has asked for; false if it is not the feature's.
    func answer(_ request: StreamRequest) throws(FirestoreError) -> Bool
}

/// An event that the engine reports to its features.
enum SyncEvent {
    /// Before the streams start, and after.
    case starting, started
    case stopped
    /// The network is about to be enabled or disabled, and it was.
    case networkChanges(isEnabled: Bool)
    case networkChanged(isEnabled: Bool)
    /// The cache shows another user.
    case userChanged
    /// The streams are open again after a change of the user.
    case userChangeEnded
    /// The online state has changed, or whether writes reach the authority.
    case reachabilityChanged
    /// The streams were closed. What is in flight will be sent again.
    case streamsEnded
    case fired(SyncTimer)
    /// The authority has rejected a target.
    case rejected(TargetID, FirestoreError)
    /// No listener wants the authority's result for a target any more.
    case unlistened(TargetID)
    /// A listener has joined a view that others have already.
    case joined
    /// A listener waits for the authority to report acknowledged writes.
    case awaitsConfirmation
    case queued(BatchID, any WriteOption)
    /// Batches are about to end with an error.
    case failing
    /// A batch has left the queue, or its caller has stopped waiting.
    case ended(BatchID)
}

/// Decides which process has the streams of a cache.
protocol StreamArbiter: AnyObject {
    /// Runs `body` while no other process can send or listen; false if another one may.
    func exclusively(_ body: () throws(FirestoreError) -> Void) throws(FirestoreError) -> Bool
    func cancel(_ id: BatchID, _ completion: @escaping (Result<Void, FirestoreError>) -> Void)
    /// Whether the process that has the streams has the authority's result for a target. Always false in that process.
    func isCurrent(_ id: TargetID) throws(FirestoreError) -> Bool
    /// Whether the process that has the streams is offline; nil if that is this one.
    var isOffline: Bool? { get }
}

extension SyncFeature {
    func attach(to engine: SyncEngine) {}
    func handle(_ event: SyncEvent) {}
    func load() throws(FirestoreError) {}
    func reload() throws(FirestoreError) {}
    var firstHeldBatch: BatchID? { nil }
    func maySend(_ batch: PendingBatch, behind inFlight: [PendingBatch]) -> Bool { true }
    func request(of batch: PendingBatch) throws(FirestoreError) -> [Write]? { nil }
    func option(of batch: PendingBatch) -> (any WriteOption)? { nil }
    func take(_ batch: PendingBatch, rejectedWith error: FirestoreError, stream: ByteSlice?) throws(FirestoreError) -> Bool { false }
    func holds(_ id: BatchID) -> Bool { false }
    var retainsRejectedWrites: Bool { false }
    var arbiter: (any StreamArbiter)? { nil }
    func answer(_ request: StreamRequest) throws(FirestoreError) -> Bool { false }
}
