// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// What a line of commits does next: which go ahead on a Write stream, which alone, what the end of a stream means for
/// each. Pure: says what to do, and is told what came of it (LS-38 … LS-42).
///
/// Commits leave the line at its head and in its order. Those on their way are a prefix of it: the ones sent on the stream,
/// or one that goes alone. **None is sent a second time unless the server has said that it was not applied**: behind a batch
/// that failed nothing is (LS-39), while a stream that is lost leaves the fate of what was sent unknown.
struct WritePipeline<Item: Sendable>: Sendable {
    /// How a commit can travel.
    enum Carrier: Sendable, Equatable {
        case stream
        /// In a call of its own: it has a deadline, or is too large to go with others.
        case call
    }

    enum Stream: Sendable, Equatable {
        case closed
        /// The server has not answered the handshake.
        case opening
        case open
        /// Could not be opened, and is not tried again before the backoff is over. Commits go alone.
        case resting
        /// The server has none, or not for us. Commits go alone.
        case unsupported
    }

    enum Effect {
        /// Open a stream and send the handshake.
        case open
        case send(Item)
        /// In a call of its own; `callEnded` follows.
        case call(Item)
        /// Over, with the answer that has just come.
        case finish(Item)
        case fail(Item, FirestoreError)
        /// Nothing goes until `resumed` is called, when the backoff after so many failures is over.
        case pause(failures: Int)
        /// Call `rested` when the backoff after so many failures is over.
        case rest(failures: Int, FirestoreError.Code)
        /// Call `lookedAround` when the stream has had time to be idle.
        case lookAround
        /// Nobody needs the stream.
        case close
        /// Nothing can be believed of what the stream says.
        case cancel
    }

    private struct Entry {
        let item: Item
        let bytes: Int
        let carrier: Carrier
        /// How often it was aborted.
        var conflicts = 0
    }

    /// How often a commit goes out that is aborted each time (LS-40, TX-17).
    private static var mostAttempts: Int { 5 }

    let ahead: WriteAhead
    private(set) var stream = Stream.closed
    private var line = CommitFIFO<Entry>()
    /// Of them, those on the stream.
    private var sent = 0
    private var sentBytes = 0
    /// The first is on its way by itself.
    private var isCalling = false
    /// The first was aborted and waits for another attempt; the others for it.
    private var isPaused = false
    /// How many may be sent ahead: grows with each answer, and falls when a batch fails, since all behind it were sent for
    /// nothing.
    private var window: Int
    /// Streams lost one after the other without having answered a batch (LS-42).
    private var failures = 0
    private var hasAnswered = false
    /// So many behind the one that is away by itself fail after it: in their turn.
    private var doomed: (count: Int, error: FirestoreError)?
    private var wasActive = false

    init(_ ahead: WriteAhead) {
        self.ahead = ahead
        window = min(ahead.first, ahead.most)
    }

    /// Commits that are not over.
    var count: Int { line.count }

    // MARK: What happens

    mutating func submit(_ item: Item, bytes: Int, by carrier: Carrier) -> [Effect] {
        line.append(Entry(item: item, bytes: bytes, carrier: bytes > ahead.largest ? .call : carrier))
        wasActive = true
        return advance()
    }

    /// The commit that went alone is over; nil if well.
    mutating func callEnded(_ error: FirestoreError? = nil) -> [Effect] {
        guard isCalling else { return [] }
        isCalling = false
        if let error, error.code == .aborted, error.progress == .answered, let pause = pauseHead() { return pause }
        guard let head = line.removeFirst() else { return [] }
        var effects = [Effect.finish(head.item)]
        if let error, error.progress == .notConnected {
            // Each by itself would find out the same, and take its time.
            doomed = (line.count, error.unsent)
        }
        if let doomed {
            self.doomed = nil
            effects += failFirst(doomed.count, doomed.error)
        }
        return effects + advance()
    }

    /// The handshake is answered.
    mutating func opened() -> [Effect] {
        guard stream == .opening else { return [] }
        stream = .open
        hasAnswered = false
        return [.lookAround] + advance()
    }

    /// A batch is answered.
    mutating func answered() -> [Effect] {
        guard stream == .open, let answered = takeSent() else {
            return [.cancel] + ended(FirestoreError(.unavailable, "the server has answered a write that was not sent"))
        }
        hasAnswered = true
        failures = 0
        window = min(window + 1, ahead.most)
        return [.finish(answered.item)] + advance()
    }

    /// The stream is over; nil for a good end.
    mutating func ended(_ error: FirestoreError?) -> [Effect] {
        switch stream {
        case .opening: refused(error ?? FirestoreError(.unavailable, "the server has closed the write stream immediately"))
        case .open: closed(error)
        case .closed, .resting, .unsupported: []
        }
    }

    /// The backoff is over.
    mutating func rested() -> [Effect] {
        guard stream == .resting else { return [] }
        stream = .closed
        return advance()
    }

    /// The pause is over.
    mutating func resumed() -> [Effect] {
        guard isPaused else { return [] }
        isPaused = false
        return advance()
    }

    /// Some time has passed since the stream was opened, or since the last look.
    mutating func lookedAround() -> [Effect] {
        guard stream == .open else { return [] }
        guard line.isEmpty, !wasActive else {
            wasActive = false
            return [.lookAround]
        }
        return shutDown()
    }

    /// Nothing more is coming.
    mutating func shutDown() -> [Effect] {
        guard stream == .open || stream == .opening, line.isEmpty else { return [] }
        stream = .closed
        return [.close]
    }

    // MARK: What to do

    private mutating func advance() -> [Effect] {
        var effects: [Effect] = []
        guard !isPaused, let head = line[0] else { return effects }
        if !isCalling, sent == 0, goesAlone(head) {
            isCalling = true
            effects.append(.call(head.item))
        }
        // Also while the first is away by itself: then the handshake costs no time.
        if stream == .closed, line[isCalling ? 1 : 0]?.carrier == .stream {
            stream = .opening
            effects.append(.open)
        }
        guard stream == .open, !isCalling else { return effects }
        while sent < window, let next = line[sent] {
            guard next.carrier == .stream, sent == 0 || sentBytes + next.bytes <= ahead.bytes else { break }
            sent += 1
            sentBytes += next.bytes
            effects.append(.send(next.item))
        }
        return effects
    }

    /// Who waits for each commit before the next one is served best by plain calls: no handshake, nothing kept open.
    private func goesAlone(_ head: Entry) -> Bool {
        switch stream {
        case .closed: head.carrier == .call || line.count == 1
        case .opening, .open: head.carrier == .call
        case .resting, .unsupported: true
        }
    }

    private mutating func takeSent() -> Entry? {
        guard sent > 0, let entry = line.removeFirst() else { return nil }
        sent -= 1
        sentBytes -= entry.bytes
        return entry
    }

    // MARK: Ends of a stream

    private mutating func refused(_ error: FirestoreError) -> [Effect] {
        switch error.code {
        case .unimplemented, .permissionDenied:
            stream = .unsupported
            return advance()
        case .unavailable:
            // Each by itself would find out the same.
            let rest = rest(because: error.code)
            guard isCalling else { return failFirst(line.count, error.unsent) + rest }
            doomed = (line.count - 1, error.unsent)
            return rest
        default:
            // What is wrong with a commit it is told by a call of its own.
            return rest(because: error.code) + advance()
        }
    }

    private mutating func closed(_ error: FirestoreError?) -> [Effect] {
        stream = .closed
        let error = error ?? FirestoreError(.unavailable, "the server has closed the write stream")
        guard sent > 0 else { return (hasAnswered ? [] : rest(because: error.code)) + advance() }
        if error.code.isPermanent, error.progress == .answered {
            // LS-39: the oldest has failed, and those behind it were not applied.
            failures = 0
            window = min(ahead.least, ahead.most)
            if error.code == .aborted, let pause = pauseHead() {
                (sent, sentBytes) = (0, 0)
                return pause
            }
            let failed = takeSent()
            (sent, sentBytes) = (0, 0)
            return (failed.map { [.fail($0.item, error)] } ?? []) + advance()
        }
        var effects: [Effect] = []
        while let lost = takeSent() {
            // What the server says of itself, a full disk for example, it says of the oldest.
            let saysWhy = effects.isEmpty && error.code != .unavailable && error.code != .cancelled
            let reason = saysWhy ? error : FirestoreError(.unavailable, error.message)
            effects.append(.fail(lost.item, reason.adding("the write may or may not have been applied", .unknown)))
        }
        if !hasAnswered { effects += rest(because: error.code) }
        return effects + advance()
    }

    /// A conflict: nothing was applied, and another attempt may find nobody in its way (LS-40). nil after too many.
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
        stream = .resting
        return [.rest(failures: failures, code)]
    }
}

extension FirestoreError {
    /// The same, with what it means for a write.
    fileprivate func adding(_ meaning: String, _ progress: Progress) -> FirestoreError {
        var error = FirestoreError(code, "\(message): \(meaning)")
        error.progress = progress
        return error
    }

    fileprivate var unsent: FirestoreError { adding("the write was not sent", .notBegun) }
}
