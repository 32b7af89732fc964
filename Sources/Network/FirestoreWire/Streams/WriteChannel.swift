// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The client's half of a Write stream, over all its connections: the handshake, the number of batches in flight, the tokens, and what an
/// answer or the end of a connection means (LS-38 … LS-42, decision 28). Pure: an event returns its meaning, and the owner acts on it.
///
/// The owner has the batches. They are answered in the order in which they were sent, so its oldest batch is the oldest in flight. Whether
/// a batch whose answer was lost is sent again is the owner's decision.
package struct WriteChannel: Sendable {
    package enum Phase: Sendable {
        case closed
        /// The handshake is not answered.
        case opening
        case open
    }

    /// The meaning of the answer to the handshake.
    package enum Greeting: Sendable, Hashable {
        /// The stream is open with `opened`; what resumes it, if the server can.
        case agrees(WriteStreamResumption?)
        /// The server continues another stream.
        case forgotten
    }

    /// The meaning of an answer to a batch.
    package enum Answer: Sendable, Hashable {
        /// The oldest batch was committed.
        case committed
        /// The oldest batch has failed; the end of the stream gives the reason.
        case failureAnnounced
        case outOfOrder
        /// Nothing was in flight.
        case unexpected
    }

    /// The meaning of the end of a connection.
    package enum Ending: Sendable, Hashable {
        /// The handshake was not answered.
        case notOpened
        /// Nothing was in flight.
        case idle
        /// The oldest batch has failed; those after it were not applied (LS-39).
        case rejected
        /// Nothing in flight was applied, and the oldest batch may succeed when it is sent again (LS-40).
        case aborted
        /// Whether the batches in flight were applied is unknown. If the stream can be resumed, they can be sent again.
        case interrupted
        /// The server can no longer resume the stream: whether the batches in flight were applied will not be known.
        case forgotten
    }

    package private(set) var phase = Phase.closed
    /// The number of unanswered batches.
    package private(set) var inFlight = 0
    /// The newest token of a stream that cannot be resumed.
    package private(set) var token = ByteSlice.empty
    /// What resumes the stream after the newest answer; nil if the server cannot resume it.
    package private(set) var resumption: WriteStreamResumption?
    /// What resumes the stream after the newest answer that is durably stored. This is what the server receives: if this machine fails, the
    /// server repeats the later answers. nil if it is unknown what is stored.
    private var confirmed: WriteStreamResumption?
    /// What resumes the stream after the oldest batch, which the server has announced as failed.
    private var announced: WriteStreamResumption?
    /// How often the oldest batch was rejected without an announcement.
    private var unannouncedRejections = 0

    package init() {}

    // MARK: The handshake

    /// Begins a connection, whose first message is `handshake`.
    package mutating func open() {
        phase = .opening
        announced = nil
    }

    /// `resumes`: whether the server may be able to resume the stream.
    package func handshake(in database: DatabaseID, resumes: Bool) -> WriteRequest {
        guard resumes else { return WriteRequest(database: database) }
        return resumption?.request(resuming: database) ?? WriteStreamResumption.request(opening: database)
    }

    /// Reads the answer to the handshake. The owner stores what it agrees to before it calls `opened`.
    package mutating func greeted(with response: WriteResponse, resumes: Bool) -> Greeting {
        token = response.streamToken
        let agreed = resumes ? WriteStreamResumption(agreement: response) : nil
        return resumption != nil && agreed != resumption ? .forgotten : .agrees(agreed)
    }

    /// Batches may be sent. `agreed`: what resumes the stream, durably stored.
    package mutating func opened(_ agreed: WriteStreamResumption? = nil) {
        phase = .open
        (resumption, confirmed) = (agreed, agreed)
    }

    /// Ends the connection without an event of the server.
    package mutating func close() {
        phase = .closed
        inFlight = 0
    }

    // MARK: Batches

    /// A batch was sent. Returns the token for it.
    @discardableResult
    package mutating func sent() -> ByteSlice {
        inFlight += 1
        return confirmed?.token ?? token
    }

    /// The oldest batch was committed, on a stream that cannot be resumed. Returns false if nothing was in flight.
    package mutating func answered() -> Bool {
        guard phase == .open, inFlight > 0 else { return false }
        inFlight -= 1
        return true
    }

    package mutating func answered(with response: WriteResponse) -> Answer {
        guard inFlight > 0 else { return .unexpected }
        switch resumption?.reading(response) {
        case .committed(let next)?: resumption = next
        case .failed(let next)?:
            announced = next
            return .failureAnnounced
        case nil: if resumption != nil { return .outOfOrder }
        }
        token = response.streamToken
        unannouncedRejections = 0
        return answered() ? .committed : .unexpected
    }

    // MARK: The end

    /// The server, or the connection to it, has ended the stream; nil for an end without an error.
    package mutating func ended(_ error: FirestoreError?) -> Ending {
        defer { close() }
        if let error, WriteStreamResumption.isLost(error) { return .forgotten }
        guard phase == .open else {
            if error?.code.isPermanent == true { token = .empty }
            // The server does not accept the name or the token of the stream. Other errors are not about the stream (SY-65).
            return error?.code == .invalidArgument && resumption != nil ? .forgotten : .notOpened
        }
        guard inFlight > 0 else { return .idle }
        guard let error, error.code.isPermanent, error.progress == .answered else { return .interrupted }
        if error.code == .aborted { return .aborted }
        if resumption != nil, announced == nil {
            // The server stores its decision about a batch, and would have announced it. The batch is sent once more.
            unannouncedRejections += 1
            if unannouncedRejections < 2 { return .interrupted }
        }
        resumption = announced ?? resumption
        unannouncedRejections = 0
        return .rejected
    }

    // MARK: Resumption

    /// The number of answers after the one that is certainly on the disk.
    package var unconfirmed: Int {
        guard let resumption, let confirmed else { return 0 }
        return Int(resumption.number - confirmed.number)
    }

    /// Whether what resumes the stream is certainly on the disk.
    package var isConfirmed: Bool { resumption == nil || confirmed == resumption }

    /// The resumption is certainly on the disk: the server may forget the answers up to it.
    package mutating func confirm(_ resumption: WriteStreamResumption?) { confirmed = resumption }

    /// The next connection resumes this stream, as it is stored; nil for another stream.
    package mutating func resume(_ stored: WriteStreamResumption?) {
        self = WriteChannel()
        resumption = stored
    }
}

extension FirestoreError.Code {
    /// Whether the same request would fail in the same way (LS-40). ABORTED ends a Listen target or a batch, but another batch may succeed.
    package var isPermanent: Bool {
        switch self {
        case .ok, .cancelled, .unknown, .deadlineExceeded, .resourceExhausted, .internal, .unavailable, .unauthenticated: false
        case .invalidArgument, .notFound, .alreadyExists, .permissionDenied, .failedPrecondition, .aborted, .outOfRange, .unimplemented,
            .dataLoss:
            true
        }
    }
}
