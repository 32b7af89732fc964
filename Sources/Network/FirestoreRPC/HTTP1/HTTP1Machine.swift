// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Decides what one connection of HTTP/1.1 does: which bytes of a request are stored, delivered or dropped, which parts of an answer are
/// sent, and when the connection closes. Pure: each event returns what to do.
///
/// A connection has one request at a time. It stays open after the answer, unless the client wants it closed or the rest of the request
/// is not wanted. That rest is dropped for a moment before the connection closes: a client that is still sending would lose the answer
/// together with the connection.
struct HTTP1Machine {
    enum State {
        /// The next request is awaited.
        case idle
        /// The body is collected, or counted and dropped if the request is refused.
        case receiving(Incoming)
        /// The service has the whole request.
        case answering(Answer)
        /// The service has the headers, and reads the body while it arrives.
        case uploading(Answer, Upload)
        /// The last answer was given. The connection closes when it is written and its request has ended.
        case closing(requestEnded: Bool, isWritten: Bool)
        case closed
    }

    struct Incoming {
        var facts: HTTP1RequestFacts
        var start: NIODeadline
        var count = 0
    }

    struct Answer {
        let facts: HTTP1RequestFacts
        var isStarted = false
    }

    struct Upload {
        var hasEnded = false
        var reads = Reads.pass
    }

    /// Whether reads of the socket pass through.
    enum Reads: Equatable {
        case pass
        /// The peer has to wait, because the body is not read; so does a read of the socket, if there was one.
        case wait(hasRead: Bool)
    }

    let patience: HTTP1Patience
    let maximumUnread: Int
    var state = State.idle
    var lastProgress: NIODeadline
    /// Bytes of answers that were not yet written to the socket.
    var unread = 0
    /// When some of them were written, or began to wait.
    var lastRead: NIODeadline

    init(_ patience: HTTP1Patience, maximumUnread: Int, now: NIODeadline) {
        self.patience = patience
        self.maximumUnread = maximumUnread
        lastProgress = now
        lastRead = now
    }

    // MARK: The request

    enum HeadAction: Equatable {
        case ignore
        /// Keep the headers, for `handle`. `asks`: answer 100 first, because the client waits for it.
        case receive(asks: Bool)
        /// Pass the request to the service, which reads the body.
        case upload(asks: Bool)
        /// Answer now, and call `lastWritten` once that is written.
        case refuse(HTTP1Refusal)
    }

    /// The headers of a request were received.
    mutating func received(_ facts: HTTP1RequestFacts, at now: NIODeadline) -> HeadAction {
        lastProgress = now
        guard case .idle = state else { return .ignore }
        // A client that asks first gets its answer before it sends what would be refused.
        if facts.asks, let refusal = facts.earlyRefusal {
            state = .closing(requestEnded: false, isWritten: false)
            return .refuse(refusal)
        }
        guard facts.isUpload, !facts.isForbidden else {
            state = .receiving(Incoming(facts: facts, start: now))
            return .receive(asks: facts.asks)
        }
        state = .uploading(Answer(facts: facts), Upload())
        return .upload(asks: facts.asks)
    }

    enum BodyAction: Equatable {
        case drop
        case collect
        /// Append them to the body that the service reads. Call `uploadIsFull` if that is full then.
        case deliver
        /// Answer now, and call `lastWritten` once that is written.
        case refuse(HTTP1Refusal)
    }

    /// Bytes of the body were received.
    mutating func receivedBody(_ count: Int, at now: NIODeadline) -> BodyAction {
        lastProgress = now
        switch state {
        case .receiving(var incoming):
            incoming.count += count
            let facts = incoming.facts
            guard incoming.count <= facts.bodySize else {
                state = .closing(requestEnded: false, isWritten: false)
                return .refuse(facts.isForbidden ? .forbidden : .tooLarge(facts.bodySize))
            }
            state = .receiving(incoming)
            return facts.isForbidden ? .drop : .collect
        case .uploading: return .deliver
        case .idle, .answering, .closing, .closed: return .drop
        }
    }

    /// The body that is being collected takes more than there is room for. Answer now, and call `lastWritten` once that is written.
    mutating func bodyIsUnwanted() -> HTTP1Refusal {
        state = .closing(requestEnded: false, isWritten: false)
        return .unwanted
    }

    enum EndAction: Equatable {
        case ignore
        /// Pass the request to the service.
        case handle
        /// Answer; if it `closes`, call `lastWritten` once that is written.
        case refuse(closes: Bool)
        /// End the body that the service reads.
        case finishBody
        case close
    }

    /// The request was received completely.
    mutating func receivedEnd(at now: NIODeadline) -> EndAction {
        lastProgress = now
        switch state {
        case .receiving(let incoming):
            let facts = incoming.facts
            guard facts.isForbidden else {
                state = .answering(Answer(facts: facts))
                return .handle
            }
            state = facts.keepsAlive ? .idle : .closing(requestEnded: true, isWritten: false)
            return .refuse(closes: !facts.keepsAlive)
        case .uploading(let answer, var upload):
            upload.hasEnded = true
            state = .uploading(answer, upload)
            return .finishBody
        case .closing(_, let isWritten): return closes(requestEnded: true, isWritten: isWritten) ? .close : .ignore
        case .idle, .answering, .closed: return .ignore
        }
    }

    /// Something that is not a request was received, after which the connection closes. Returns whether that can be answered.
    mutating func receivedNonsense() -> Bool {
        defer { state = .closed }
        switch state {
        case .idle, .receiving: return true
        case .answering, .uploading, .closing, .closed: return false
        }
    }

    mutating func closes(requestEnded: Bool, isWritten: Bool) -> Bool {
        let isOver = requestEnded && isWritten
        state = isOver ? .closed : .closing(requestEnded: requestEnded, isWritten: isWritten)
        return isOver
    }

    // MARK: Reads of the socket

    /// The body that the service reads is full.
    mutating func uploadIsFull() {
        guard case .uploading(let answer, var upload) = state, upload.reads == .pass else { return }
        upload.reads = .wait(hasRead: false)
        state = .uploading(answer, upload)
    }

    /// The socket can be read. Returns whether that happens now.
    mutating func read() -> Bool {
        guard case .uploading(let answer, var upload) = state, upload.reads != .pass else { return true }
        upload.reads = .wait(hasRead: true)
        state = .uploading(answer, upload)
        return false
    }

    /// The service has read what had arrived. Returns whether the socket is read now.
    mutating func uploadHasRoom(at now: NIODeadline) -> Bool {
        guard case .uploading(let answer, var upload) = state else { return false }
        let hasRead = upload.reads == .wait(hasRead: true)
        upload.reads = .pass
        state = .uploading(answer, upload)
        if hasRead { lastProgress = now }
        return hasRead
    }

    // MARK: Patience

    /// Whether the peer has been silent for too long, or too slow.
    func isOutOfPatience(at now: NIODeadline) -> Bool {
        let silence = now - lastProgress
        if unread > 0, now - lastRead > patience.unread { return true }
        switch state {
        case .uploading(_, let upload): return !upload.hasEnded && upload.reads == .pass && silence > patience.silence
        case .answering: return false
        case .receiving(let incoming) where unread == 0 && now - incoming.start > patience.request: return true
        case .idle, .receiving, .closing, .closed: return unread == 0 && silence > patience.silence
        }
    }
}
