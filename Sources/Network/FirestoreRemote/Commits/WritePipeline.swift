// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

/// Decides what a line of commits does next: which are sent on a Write stream, which in separate calls, and what the end of a stream
/// means for each. Pure: it returns what to do, and receives the results (LS-38 … LS-42).
///
/// Commits leave the line at its head and in its order. Those in flight are a prefix of it: the ones sent on the stream, or one in
/// a separate call. **None is sent a second time unless the server has said that it was not applied**: commits after a failed
/// batch were not (LS-39), whereas a lost stream leaves the fate of what was sent unknown.
struct WritePipeline<Item: Sendable>: Sendable {
    /// How a commit can be sent.
    enum Carrier: Sendable, Equatable {
        case stream
        /// In a separate call: it has a deadline, or is too large to be sent with others.
        case call
    }

    /// Whether a stream can be opened. Otherwise commits are sent in separate calls.
    private enum Availability: Sendable {
        case available
        /// No stream could be opened, and none is tried before the backoff ends.
        case resting
        /// Not available on the server, or not permitted.
        case unsupported
    }

    enum Effect {
        /// Open a stream and send the handshake.
        case open
        case send(Item)
        /// Send in a separate call; `callEnded` follows.
        case call(Item)
        /// The commit is finished, with the answer just received.
        case finish(Item)
        case fail(Item, FirestoreError)
        /// Send nothing until `resumed` is called, when the backoff after this many failures ends.
        case pause(failures: Int)
        /// Call `rested` when the backoff after this many failures ends.
        case rest(failures: Int, FirestoreError.Code)
        /// Call `lookedAround` when the stream may have become idle.
        case lookAround
        /// Close the stream; it is no longer needed.
        case close
        /// Cancel the stream; its messages cannot be trusted.
        case cancel
    }

    private struct Entry {
        let item: Item
        let bytes: Int
        let carrier: Carrier
        /// How often it was aborted.
        var conflicts = 0
    }

    /// How often a commit is sent that is aborted each time (LS-40, TX-17).
    private static var mostAttempts: Int { 5 }

    let ahead: WriteAhead
    /// What is in flight on it is a prefix of the line.
    private var channel = WriteChannel()
    private var availability = Availability.available
    private var line = CommitFIFO<Entry>()
    private var sentBytes = 0
    /// Whether the first is in flight in a separate call.
    private var isCalling = false
    /// Whether the first was aborted and waits for another attempt, and the others for it.
    private var isPaused = false
    /// How many may be sent ahead: grows with each answer, and falls when a batch fails, since all after it were sent for nothing.
    private var window: Int
    /// The number of consecutive streams lost without having answered a batch (LS-42).
    private var failures = 0
    private var hasAnswered = false
    /// This many commits after the one in a separate call will fail after it, in order.
    private var doomed: (count: Int, error: FirestoreError)?
    private var wasActive = false

    init(_ ahead: WriteAhead) {
        self.ahead = ahead
        window = min(ahead.first, ahead.most)
    }

    /// Whether the next message of the server answers the handshake.
    var isOpening: Bool { channel.phase == .opening }

    // MARK: What happens

    mutating func submit(_ item: Item, bytes: Int, by carrier: Carrier) -> [Effect] {
        line.append(Entry(item: item, bytes: bytes, carrier: bytes > ahead.largest ? .call : carrier))
        wasActive = true
        return advance()
    }

    /// The commit in a separate call is finished; nil for success.
    mutating func callEnded(_ error: FirestoreError? = nil) -> [Effect] {
        guard isCalling else { return [] }
        isCalling = false
        if let error, error.code == .aborted, error.progress == .answered, let pause = pauseHead() { return pause }
        guard let head = line.removeFirst() else { return [] }
        var effects = [Effect.finish(head.item)]
        if let error, error.progress == .notConnected {
            // Each separate call would have the same result, and take its time.
            doomed = (line.count, error.unsent)
        }
        if let doomed {
            self.doomed = nil
            effects += failFirst(doomed.count, doomed.error)
        }
        return effects + advance()
    }

    /// The handshake was answered.
    mutating func opened() -> [Effect] {
        guard channel.phase == .opening else { return [] }
        channel.opened()
        return [.lookAround] + advance()
    }

    /// A batch was answered.
    mutating func answered() -> [Effect] {
        guard channel.answered(), let answered = line.removeFirst() else {
            return [.cancel] + ended(FirestoreError(.unavailable, "the server has answered a write that was not sent"))
        }
        sentBytes -= answered.bytes
        hasAnswered = true
        failures = 0
        window = min(window + 1, ahead.most)
        return [.finish(answered.item)] + advance()
    }

    /// The stream has ended; nil for a regular end.
    mutating func ended(_ error: FirestoreError?) -> [Effect] {
        guard channel.phase != .closed else { return [] }
        let (inFlight, isImmediate) = (channel.inFlight, isOpening)
        let error = error ?? FirestoreError(.unavailable, "the server has closed the write stream\(isImmediate ? " immediately" : "")")
        sentBytes = 0
        return switch channel.ended(error) {
        case .notOpened: notOpened(error)
        case .rejected, .aborted: rejected(error)
        case .idle, .interrupted, .forgotten: lost(inFlight, error)
        }
    }

    /// The backoff has ended.
    mutating func rested() -> [Effect] {
        guard availability == .resting else { return [] }
        availability = .available
        return advance()
    }

    /// The pause has ended.
    mutating func resumed() -> [Effect] {
        guard isPaused else { return [] }
        isPaused = false
        return advance()
    }

    /// Some time has passed since the stream was opened, or since the last check.
    mutating func lookedAround() -> [Effect] {
        guard channel.phase == .open else { return [] }
        guard line.isEmpty, !wasActive else {
            wasActive = false
            return [.lookAround]
        }
        return shutDown()
    }

    /// No further commits will come.
    mutating func shutDown() -> [Effect] {
        guard channel.phase != .closed, line.isEmpty else { return [] }
        channel.close()
        return [.close]
    }

    // MARK: What to do

    private mutating func advance() -> [Effect] {
        var effects: [Effect] = []
        guard !isPaused, let head = line[0] else { return effects }
        if !isCalling, channel.inFlight == 0, goesAlone(head) {
            isCalling = true
            effects.append(.call(head.item))
        }
        // Also while the first is in a separate call: then the handshake costs no time.
        if availability == .available, channel.phase == .closed, line[isCalling ? 1 : 0]?.carrier == .stream {
            channel.open()
            hasAnswered = false
            effects.append(.open)
        }
        guard channel.phase == .open, !isCalling else { return effects }
        while channel.inFlight < window, let next = line[channel.inFlight] {
            guard next.carrier == .stream, channel.inFlight == 0 || sentBytes + next.bytes <= ahead.bytes else { break }
            channel.sent()
            sentBytes += next.bytes
            effects.append(.send(next.item))
        }
        return effects
    }

    /// A caller that waits for each commit before the next is served best by plain calls: no handshake, no open stream.
    private func goesAlone(_ head: Entry) -> Bool {
        availability != .available || head.carrier == .call || channel.phase == .closed && line.count == 1
    }

    // MARK: Ends of a stream

    private mutating func notOpened(_ error: FirestoreError) -> [Effect] {
        switch error.code {
        case .unimplemented, .permissionDenied:
            availability = .unsupported
            return advance()
        case .unavailable:
            // Each separate call would have the same result.
            let rest = rest(because: error.code)
            guard isCalling else { return failFirst(line.count, error.unsent) + rest }
            doomed = (line.count - 1, error.unsent)
            return rest
        default:
            // If something is wrong with a commit, a separate call will return the error.
            return rest(because: error.code) + advance()
        }
    }

    /// LS-39: the oldest has failed, and those after it were not applied.
    private mutating func rejected(_ error: FirestoreError) -> [Effect] {
        failures = 0
        window = min(ahead.least, ahead.most)
        if error.code == .aborted, let pause = pauseHead() { return pause }
        return failFirst(1, error) + advance()
    }

    private mutating func lost(_ inFlight: Int, _ error: FirestoreError) -> [Effect] {
        let meaning = "the write may or may not have been applied"
        let unknown = FirestoreError(.unavailable, error.message).adding(meaning, .unknown)
        // An error of the server itself, for example a full disk, is reported for the oldest.
        let saysWhy = error.code != .unavailable && error.code != .cancelled
        var effects = failFirst(min(1, inFlight), saysWhy ? error.adding(meaning, .unknown) : unknown)
        effects += failFirst(max(0, inFlight - 1), unknown)
        if !hasAnswered { effects += rest(because: error.code) }
        return effects + advance()
    }

    /// A conflict: nothing was applied, and another attempt may succeed (LS-40). nil after too many.
    private mutating func pauseHead() -> [Effect]? {
        guard var head = line.head, head.conflicts + 1 < Self.mostAttempts else { return nil }
        head.conflicts += 1
        line.head = head
        isPaused = true
        return [.pause(failures: head.conflicts)]
    }

    private mutating func failFirst(_ count: Int, _ error: FirestoreError) -> [Effect] {
        (0..<count).compactMap { _ in line.removeFirst().map { .fail($0.item, error) } }
    }

    private mutating func rest(because code: FirestoreError.Code) -> [Effect] {
        failures += 1
        availability = .resting
        return [.rest(failures: failures, code)]
    }
}

extension FirestoreError {
    /// The error with its meaning for a write.
    fileprivate func adding(_ meaning: String, _ progress: Progress) -> FirestoreError {
        var error = FirestoreError(code, "\(message): \(meaning)")
        error.progress = progress
        return error
    }

    fileprivate var unsent: FirestoreError { adding("the write was not sent", .notBegun) }
}
