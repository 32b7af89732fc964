// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import Testing

/// What an answer or the end of a connection means for a Write stream in every state (LS-38 … LS-42, decision 28).
struct WriteChannelTests {
    enum State: String, CaseIterable {
        case closed, opening
        /// A stream is about to be resumed.
        case resuming
        /// Nothing is in flight.
        case open
        /// Two batches are in flight, on a stream that cannot be resumed.
        case sending
        /// Two batches are in flight, on a stream that can be resumed.
        case resumable
        /// The server has announced that the first of them has failed.
        case announced
        /// Two batches, sent again after the first was rejected without an announcement.
        case doubted
    }

    enum Event: String, CaseIterable {
        case answer, foreignAnswer, announcement
        case end, unavailable, aborted, notFound, invalidArgument
        /// A permanent status that the connection has made up.
        case madeUp
        /// The server can no longer resume the stream.
        case lost
    }

    private static let id = "hearth-0123456789abcdef0123456789abcdef"
    private static let database = DatabaseID(projectID: "p")

    private static func response(_ number: Int64, of id: String = id, isCommitted: Bool = true) -> WriteResponse {
        WriteResponse(
            streamID: id, streamToken: WriteStreamToken(number: number).bytes(of: id),
            commitTime: isCommitted ? DocumentVersion(microseconds: 5) : nil)
    }

    private static func resumption(_ number: Int64) -> WriteStreamResumption? { WriteStreamResumption(agreement: response(number)) }

    private static func open(_ channel: inout WriteChannel, _ agreed: WriteStreamResumption?, sending count: Int = 0) {
        channel.open()
        channel.opened(agreed)
        for _ in 0..<count { channel.sent() }
    }

    private static func channel(_ state: State) -> WriteChannel {
        var channel = WriteChannel()
        switch state {
        case .closed: break
        case .opening: channel.open()
        case .resuming:
            channel.resume(resumption(0))
            channel.open()
        case .open: open(&channel, nil)
        case .sending: open(&channel, nil, sending: 2)
        case .resumable: open(&channel, resumption(0), sending: 2)
        case .announced:
            open(&channel, resumption(0), sending: 2)
            _ = channel.answered(with: response(1, isCommitted: false))
        case .doubted:
            open(&channel, resumption(0), sending: 2)
            _ = channel.ended(FirestoreError(.notFound, ""))
            open(&channel, resumption(0), sending: 2)
        }
        return channel
    }

    private static func send(_ event: Event, to channel: inout WriteChannel) -> String {
        func end(_ code: FirestoreError.Code, _ progress: FirestoreError.Progress = .answered, _ message: String = "") -> String {
            var error = FirestoreError(code, message)
            error.progress = progress
            return "\(channel.ended(error))"
        }
        switch event {
        case .answer: return "\(channel.answered(with: response(1)))"
        case .foreignAnswer: return "\(channel.answered(with: response(7)))"
        case .announcement: return "\(channel.answered(with: response(1, isCommitted: false)))"
        case .end: return "\(channel.ended(nil))"
        case .unavailable: return end(.unavailable, .unknown)
        case .aborted: return end(.aborted)
        case .notFound: return end(.notFound)
        case .invalidArgument: return end(.invalidArgument)
        case .madeUp: return end(.permissionDenied, .unknown)
        case .lost: return end(.failedPrecondition, .answered, "[write-stream-lost] restored from a copy")
        }
    }

    private static func expected(_ event: Event, _ state: State) -> String {
        switch (state, event) {
        case (_, .lost), (.resuming, .invalidArgument): "forgotten"
        case (.closed, .answer), (.closed, .foreignAnswer), (.closed, .announcement): "unexpected"
        case (.opening, .answer), (.opening, .foreignAnswer), (.opening, .announcement): "unexpected"
        case (.resuming, .answer), (.resuming, .foreignAnswer), (.resuming, .announcement): "unexpected"
        case (.open, .answer), (.open, .foreignAnswer), (.open, .announcement): "unexpected"
        case (.closed, _), (.opening, _), (.resuming, _): "notOpened"
        case (.open, _): "idle"
        case (.sending, .answer), (.sending, .foreignAnswer), (.sending, .announcement), (_, .answer): "committed"
        case (_, .foreignAnswer): "outOfOrder"
        case (_, .announcement): "failureAnnounced"
        case (_, .aborted): "aborted"
        case (_, .end), (_, .unavailable), (_, .madeUp): "interrupted"
        // The server would have announced it.
        case (.resumable, .notFound), (.resumable, .invalidArgument): "interrupted"
        case (_, .notFound), (_, .invalidArgument): "rejected"
        }
    }

    @Test(arguments: State.allCases, Event.allCases)
    func `answers are matched with batches in flight, and an end reports the outcome of each`(_ state: State, _ event: Event) {
        var channel = Self.channel(state)
        let before = channel
        let meaning = Self.send(event, to: &channel)
        #expect(meaning == Self.expected(event, state))
        switch meaning {
        case "committed": #expect(channel.inFlight == before.inFlight - 1 && channel.phase == .open)
        case "unexpected", "outOfOrder", "failureAnnounced": #expect(channel.inFlight == before.inFlight && channel.phase == before.phase)
        default: #expect(channel.inFlight == 0 && channel.phase == .closed)
        }
        // The stream continues after what is decided.
        let isDecided = meaning == "committed" && before.resumption != nil || meaning == "rejected" && state == .announced
        #expect(channel.resumption == (isDecided ? Self.resumption(1) : before.resumption))
    }

    // MARK: The handshake

    @Test func `a handshake resumes the stored stream`() throws {
        var channel = WriteChannel()
        #expect(channel.handshake(in: Self.database, resumes: false).labels.isEmpty)
        #expect(WriteStreamResumption.isWanted(by: channel.handshake(in: Self.database, resumes: true)))
        channel.resume(Self.resumption(3))
        let request = channel.handshake(in: Self.database, resumes: true)
        #expect(request.streamID == Self.id && request.streamToken == Self.resumption(3)?.token)
    }

    @Test func `a server agrees, does not know about resumption, or has another stream`() {
        let ordinary = WriteResponse(streamID: "1", streamToken: ByteSlice([7]))
        func greeting(_ response: WriteResponse, resumes: Bool = true, after stored: WriteStreamResumption? = nil) -> WriteChannel.Greeting {
            var channel = WriteChannel()
            channel.resume(stored)
            return channel.greeted(with: response, resumes: resumes)
        }
        #expect(greeting(ordinary) == .agrees(nil))
        #expect(greeting(Self.response(0)) == .agrees(Self.resumption(0)))
        #expect(greeting(Self.response(0), resumes: false) == .agrees(nil))
        #expect(greeting(Self.response(3), after: Self.resumption(3)) == .agrees(Self.resumption(3)))
        #expect(greeting(Self.response(2), after: Self.resumption(3)) == .forgotten)
        #expect(greeting(ordinary, after: Self.resumption(3)) == .forgotten)
    }

    @Test func `a permanent error of the handshake forgets the token`() {
        for (code, isForgotten) in [(FirestoreError.Code.unavailable, false), (.permissionDenied, true)] {
            var channel = WriteChannel()
            channel.open()
            _ = channel.greeted(with: WriteResponse(streamID: "", streamToken: ByteSlice([7])), resumes: false)
            _ = channel.ended(FirestoreError(code, ""))
            #expect(channel.token.isEmpty == isForgotten)
        }
    }

    // MARK: Tokens

    @Test func `batches carry the token of the newest answer, on a stream that can be resumed the newest that is stored`() {
        var channel = WriteChannel()
        channel.open()
        _ = channel.greeted(with: WriteResponse(streamID: "", streamToken: ByteSlice([7])), resumes: true)
        channel.opened()
        let first = channel.sent()
        _ = channel.answered(with: WriteResponse(streamID: "", streamToken: ByteSlice([8])))
        let second = channel.sent()
        #expect([first, second] == [ByteSlice([7]), ByteSlice([8])])
        #expect(channel.unconfirmed == 0 && channel.isConfirmed)

        var resumable = Self.channel(.resumable)
        _ = resumable.answered(with: Self.response(1))
        let third = resumable.sent()
        #expect(third == Self.resumption(0)?.token && resumable.unconfirmed == 1 && !resumable.isConfirmed)
        resumable.confirm(resumable.resumption)
        let fourth = resumable.sent()
        #expect(fourth == Self.resumption(1)?.token && resumable.unconfirmed == 0 && resumable.isConfirmed)
    }

    @Test func `the stored state of an earlier stream is not confirmed until the handshake`() {
        var channel = WriteChannel()
        channel.resume(Self.resumption(3))
        #expect(!channel.isConfirmed && channel.unconfirmed == 0)
        Self.open(&channel, Self.resumption(3))
        #expect(channel.isConfirmed)
        channel.resume(nil)
        #expect(channel.resumption == nil && channel.isConfirmed && channel.phase == .closed)
    }

    @Test func `an answer that belongs to the next batch starts the count of unannounced rejections again`() {
        var channel = Self.channel(.doubted)
        _ = channel.answered(with: Self.response(1))
        #expect(Self.send(.notFound, to: &channel) == "interrupted")
        Self.open(&channel, Self.resumption(1), sending: 1)
        #expect(Self.send(.notFound, to: &channel) == "rejected")
    }

    @Test func `an answer without a response is for streams that cannot be resumed`() {
        var channel = Self.channel(.sending)
        let answers = (0..<3).map { _ in channel.answered() }
        #expect(answers == [true, true, false])
        var closed = WriteChannel()
        let answer = closed.answered()
        #expect(!answer)
    }
}
