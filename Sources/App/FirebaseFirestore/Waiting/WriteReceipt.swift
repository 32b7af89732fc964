// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The outcome of a write that was made without waiting.
///
/// ```swift
/// let receipt = try document.setData(from: city)
/// try await receipt.acknowledged
/// ```
/// A receipt may be dropped. If the write then fails and has no completion handler, the failure is logged as a warning.
/// The embedded database is its own authority: there both stages are reached when the write is durable. A database on a
/// server that is used with a cache saves a write in its queue first, also while offline, and sends it when it can.
///
/// Beyond the Apple SDK.
public final class WriteReceipt: Sendable {
    /// The outcome of a write so far.
    ///
    /// A write behind a failed one (`settings.failedWritePolicy = .hold`) is `queued`.
    ///
    /// Beyond the Apple SDK.
    public enum State: Sendable {
        /// It waits in the queue. `position` is the number of calls before it, so 0 is the next one.
        case queued(position: Int)
        /// It has been sent and not answered, or has not reached the queue yet. Without a cache: it has not been answered yet.
        case sent
        /// The server, or the embedded database, has accepted it.
        case acknowledged
        /// It was rejected or canceled.
        case rejected(any Error)
    }

    /// The stage that a caller waits for.
    enum Stage: Sendable {
        case saved
        /// Saved, while the client is offline.
        case savedOffline
        case acknowledged
    }

    private struct Progress {
        var result: Result<Void, any Error>?
        /// The cache and the number in its queue, once it is there.
        var id: ID?
        var isOffline = false
        var waiting: [(stage: Stage, continuation: CheckedContinuation<Void, any Error>)] = []
        /// The message to log if the write fails and the receipt is released before a caller received the outcome.
        var unhandled: String?
        /// Whether a caller received the outcome. A caller that continued when the write was saved did not.
        var isHandled = false
        /// Ends with the receipt.
        var observation: (any ListenHandle)?

        func hasReached(_ stage: Stage) -> Bool {
            switch stage {
            case .saved: id != nil
            case .savedOffline: id != nil && isOffline
            case .acknowledged: false
            }
        }

        /// Waiters to resume.
        mutating func takeReady() -> [CheckedContinuation<Void, any Error>] {
            let ready = waiting.filter { hasReached($0.stage) }
            waiting = waiting.filter { !hasReached($0.stage) }
            return ready.map(\.continuation)
        }
    }

    private let progress = Mutex(Progress())
    /// Where the write waits; nil for a database without a queue.
    private let queue: (any WriteQueueAdministration)?

    init(in queue: (any WriteQueueAdministration)? = nil) { self.queue = queue }

    deinit {
        let (notice, observation) = progress.withLock { ($0.isHandled ? nil : $0.unhandled, $0.observation) }
        observation?.remove()
        if let notice { UnhandledFailure.log(notice) }
    }

    /// Identifies the write in the queue of its cache, also after a restart: ``Firestore/receipt(_:)``.
    ///
    /// nil until the write is saved, and for databases without a cache.
    public var id: ID? {
        queue == nil ? nil : progress.withLock { $0.id }
    }

    /// Returns when the write is in the queue: on disk, if the cache is persistent. Throws if it cannot be stored or was rejected.
    ///
    /// For the embedded database and without a cache, the same as ``acknowledged``. Canceling the task does not end the wait.
    public var saved: Void {
        get async throws { try await reach(.saved) }
    }

    /// Returns when the server, or the embedded database, has accepted the write; throws if it was rejected.
    ///
    /// With a cache it waits however long the client is offline, and throws `cancelled` if the write is canceled or the instance is
    /// terminated. Canceling the task does not end the wait.
    public var acknowledged: Void {
        get async throws { try await reach(.acknowledged) }
    }

    /// The state of the write so far.
    public var state: State {
        get async throws {
            let (result, id) = progress.withLock { ($0.result, $0.id) }
            switch result {
            case .success?: return .acknowledged
            case .failure(let error)?: return .rejected(error)
            case nil: break
            }
            guard let queue, let id else { return .sent }
            let state: QueuedWriteState?
            do {
                state = try await queue.state(of: id.number, in: id.cache)
            } catch {
                throw publicForm(of: error)
            }
            switch state {
            case .queued(let position)?: return .queued(position: position)
            case .sent?: return .sent
            case .acknowledged?: return .acknowledged
            case .rejected(let error)?: return .rejected(error.publicError)
            case nil: return .rejected(Self.forgotten.publicError)
            }
        }
    }

    /// Waits for a stage, or the outcome if that comes first.
    func reach(_ stage: Stage) async throws {
        // The report of the outcome holds the receipt weakly.
        defer { withExtendedLifetime(self) {} }
        try await withCheckedThrowingContinuation { continuation in
            let result = progress.withLock { progress -> Result<Void, any Error>? in
                if let result = progress.result {
                    progress.isHandled = true
                    return result
                }
                if progress.hasReached(stage) { return .success(()) }
                progress.waiting.append((stage, continuation))
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }

    /// The write is in the queue; its outcome is still to come. Called while the cache that has it is in use.
    func save(_ number: Int64) { save(ID(cache: queue?.cacheID ?? 0, number: number)) }

    func save(_ id: ID) {
        let ready = progress.withLock { progress in
            progress.id = id
            return progress.takeReady()
        }
        for continuation in ready { continuation.resume() }
    }

    /// The client has gone offline, or is no longer.
    func setOffline(_ isOffline: Bool) {
        let ready = progress.withLock { progress in
            progress.isOffline = isOffline
            return progress.takeReady()
        }
        for continuation in ready { continuation.resume() }
    }

    /// `unhandled`: the message to log if the outcome is never awaited.
    func finish(_ result: Result<Void, any Error>, unhandled: String? = nil) {
        let (waiting, observation) = progress.withLock { progress -> ([CheckedContinuation<Void, any Error>], (any ListenHandle)?) in
            guard progress.result == nil else { return ([], nil) }
            progress.result = result
            progress.unhandled = unhandled
            if !progress.waiting.isEmpty { progress.isHandled = true }
            defer { (progress.waiting, progress.observation) = ([], nil) }
            return (progress.waiting.map(\.continuation), progress.observation)
        }
        observation?.remove()
        for continuation in waiting { continuation.resume(with: result) }
    }

    /// Learns the outcome of a write that an earlier receipt was made for.
    func follow() async {
        guard let queue else { return }
        let handle = queue.observeWrites { [weak self] in
            Task { await self?.lookUp() }
        }
        let isLate = progress.withLock { progress in
            if progress.result != nil { return true }
            progress.observation = handle
            return false
        }
        if isLate { return handle.remove() }
        await lookUp()
    }

    private func lookUp() async {
        guard let queue, let id = progress.withLock({ $0.id }) else { return }
        do throws(FirestoreError) {
            switch try await queue.state(of: id.number, in: id.cache) {
            case .queued?, .sent?: break
            case .acknowledged?: finish(.success(()))
            case .rejected(let error)?: finish(.failure(error.publicError))
            case nil: finish(.failure(Self.forgotten.publicError))
            }
        } catch {
            finish(.failure(error.publicError))
        }
    }

    private static let forgotten = FirestoreError(
        .cancelled, "the write was canceled, or its failure was dismissed, retried, or is older than 30 days")
}

extension WriteReceipt {
    /// Identifies a write in the queue of a cache. It can be stored as text, and survives a restart.
    ///
    /// Beyond the Apple SDK.
    public struct ID: Hashable, Sendable, Codable, LosslessStringConvertible {
        let cache: UInt64
        let number: Int64

        init(cache: UInt64, number: Int64) {
            self.cache = cache
            self.number = number
        }

        /// Reads what `description` has written; nil for other text.
        public init?(_ description: String) {
            let parts = description.split(separator: "-", maxSplits: 1)
            guard parts.count == 2, let cache = UInt64(parts[0], radix: 16), let number = Int64(parts[1]), number >= 0 else { return nil }
            self.init(cache: cache, number: number)
        }

        /// Reads the text.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let id = ID(text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is not the id of a write receipt")
            }
            self = id
        }

        /// Writes the text.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(description)
        }

        /// The id as text.
        public var description: String { "\(String(cache, radix: 16))-\(number)" }
    }
}
