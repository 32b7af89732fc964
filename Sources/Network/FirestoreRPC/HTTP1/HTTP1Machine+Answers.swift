// SPDX-License-Identifier: Apache-2.0
import NIOCore

extension HTTP1Machine {
    enum BeginAction: Equatable {
        case ignore
        /// Send the headers. `closes`: they announce the end of the connection.
        case send(closes: Bool)
    }

    /// The service begins the answer.
    mutating func answerBegins() -> BeginAction {
        switch state {
        case .answering(var answer) where !answer.isStarted:
            answer.isStarted = true
            state = .answering(answer)
            return .send(closes: !answer.facts.keepsAlive)
        case .uploading(var answer, let upload) where !answer.isStarted:
            answer.isStarted = true
            state = .uploading(answer, upload)
            return .send(closes: true)
        case .idle, .receiving, .answering, .uploading, .closing, .closed: return .ignore
        }
    }

    enum PieceAction: Equatable {
        case ignore
        /// Send it, and call `wrote` once it is written.
        case send
        /// Treat it as written: the answer to HEAD has no body.
        case confirm
        /// The peer reads too slowly.
        case close
    }

    /// The service continues the answer.
    mutating func answerContinues(_ count: Int, at now: NIODeadline) -> PieceAction {
        guard let answer, answer.isStarted else { return .ignore }
        guard !answer.facts.isHEAD else { return .confirm }
        if unread == 0 { lastRead = now }
        unread += count
        guard unread <= maximumUnread else {
            state = .closed
            return .close
        }
        return .send
    }

    /// A piece was written to the socket.
    mutating func wrote(_ count: Int, at now: NIODeadline) {
        unread -= count
        lastProgress = now
        lastRead = now
    }

    enum FinishAction: Equatable {
        case ignore
        /// Send the end.
        case send
        /// Send the end, and call `lastWritten` once it is written.
        case sendLast
        /// As `sendLast`, while the rest of the request is dropped. `reads`: the socket is read now.
        case sendEarly(reads: Bool)
        /// The answer has not begun.
        case close
    }

    /// The service ends the answer.
    mutating func answerEnds(at now: NIODeadline) -> FinishAction {
        guard let answer else { return .ignore }
        guard answer.isStarted else {
            state = .closed
            return .close
        }
        lastProgress = now
        if case .uploading(_, let upload) = state {
            state = .closing(requestEnded: upload.hasEnded, isWritten: false)
            return upload.hasEnded ? .sendLast : .sendEarly(reads: upload.reads == .wait(hasRead: true))
        }
        state = answer.facts.keepsAlive ? .idle : .closing(requestEnded: true, isWritten: false)
        return answer.facts.keepsAlive ? .send : .sendLast
    }

    /// The service breaks off the answer. Returns whether the connection closes.
    mutating func answerIsCut() -> Bool {
        guard answer != nil else { return false }
        state = .closed
        return true
    }

    /// The last answer was written. Returns whether the connection closes.
    mutating func lastWritten() -> Bool {
        guard case .closing(let requestEnded, _) = state else { return false }
        return closes(requestEnded: requestEnded, isWritten: true)
    }

    private var answer: Answer? {
        switch state {
        case .answering(let answer), .uploading(let answer, _): answer
        case .idle, .receiving, .closing, .closed: nil
        }
    }
}
