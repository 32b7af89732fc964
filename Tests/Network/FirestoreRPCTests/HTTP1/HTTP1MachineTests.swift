// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Testing

@testable import FirestoreRPC

/// What a connection of HTTP/1.1 does: every event in every state.
struct HTTP1MachineTests {
    enum State: String, CaseIterable, Sendable {
        case idle
        /// The headers of a request have arrived, and 60 of 100 bytes that its body may have.
        case receiving
        /// As `receiving`, of a request that is refused; its client wants the connection closed, or not.
        case forbidden, lastForbidden
        /// The request is complete; its answer has begun, or not.
        case answering, begun
        /// As `begun`, after which the connection closes; and for HEAD.
        case lastBegun, headBegun
        /// A body that the service reads while it arrives. Its answer has begun, or not.
        case uploading, uploadBegun
        /// It is full; a read of the socket waits for that, or not.
        case full, fullWithRead, fullWithReadBegun
        /// It is complete, and the answer has begun.
        case uploaded
        /// The answer was given before the request has ended; it is written, or not.
        case refused, refusedWritten
        /// The last answer was given and is not written.
        case last
        case closed
    }

    enum Event: String, CaseIterable, Sendable {
        case head, askingHead, upload, askingUpload, forbiddenHead, forbiddenAskingHead, largeAskingHead
        case body, tooMuch, end, nonsense
        case full, read, room
        case begin, piece, unreadPiece, finish, cut, lastWritten
        /// Whether the connection is closed after 61 seconds without progress, and after 301.
        case silence, longSilence
    }

    /// What is not in the table is ignored.
    static let table: [Event: [State: String]] = [
        .head: [.idle: "receive"], .askingHead: [.idle: "ask, receive"], .upload: [.idle: "upload"], .askingUpload: [.idle: "ask, upload"],
        .forbiddenHead: [.idle: "receive"], .forbiddenAskingHead: [.idle: "refuse"], .largeAskingHead: [.idle: "too large"],
        .body: [
            .receiving: "collect", .uploading: "deliver", .uploadBegun: "deliver", .full: "deliver", .fullWithRead: "deliver",
            .fullWithReadBegun: "deliver", .uploaded: "deliver",
        ],
        .tooMuch: [
            .receiving: "too large", .forbidden: "refuse", .lastForbidden: "refuse", .uploading: "deliver", .uploadBegun: "deliver", .full: "deliver",
            .fullWithRead: "deliver", .fullWithReadBegun: "deliver", .uploaded: "deliver",
        ],
        .end: [
            .receiving: "handle", .forbidden: "refuse", .lastForbidden: "refuse and close", .uploading: "finish body", .uploadBegun: "finish body",
            .full: "finish body", .fullWithRead: "finish body", .fullWithReadBegun: "finish body", .uploaded: "finish body",
            .refusedWritten: "close",
        ],
        .nonsense: [.idle: "answer", .receiving: "answer", .forbidden: "answer", .lastForbidden: "answer"],
        .full: [:],
        .read: Dictionary(
            uniqueKeysWithValues: State.allCases.filter { ![.full, .fullWithRead, .fullWithReadBegun].contains($0) }.map { ($0, "read") }),
        .room: [.fullWithRead: "read", .fullWithReadBegun: "read"],
        .begin: [
            .answering: "send", .uploading: "send, closing", .full: "send, closing", .fullWithRead: "send, closing",
        ],
        .piece: [
            .begun: "send", .lastBegun: "send", .headBegun: "confirm", .uploadBegun: "send", .fullWithReadBegun: "send", .uploaded: "send",
        ],
        .unreadPiece: [
            .begun: "close", .lastBegun: "close", .headBegun: "confirm", .uploadBegun: "close", .fullWithReadBegun: "close", .uploaded: "close",
        ],
        .finish: [
            .answering: "close", .uploading: "close", .full: "close", .fullWithRead: "close", .begun: "send", .headBegun: "send",
            .lastBegun: "send, then close", .uploaded: "send, then close", .uploadBegun: "send and drop the rest",
            .fullWithReadBegun: "send, read and drop the rest",
        ],
        .cut: [
            .answering: "close", .uploading: "close", .full: "close", .fullWithRead: "close", .begun: "close", .headBegun: "close",
            .lastBegun: "close", .uploaded: "close", .uploadBegun: "close", .fullWithReadBegun: "close",
        ],
        .lastWritten: [.last: "close"],
        .silence: silence, .longSilence: silence,
    ]

    /// The service may take its time, and may leave the body unread.
    private static let silence = Dictionary(
        uniqueKeysWithValues: State.allCases
            .filter { ![.answering, .begun, .lastBegun, .headBegun, .full, .fullWithRead, .fullWithReadBegun, .uploaded].contains($0) }
            .map { ($0, "close") })

    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    private static func machine(in state: State) -> HTTP1Machine {
        var machine = HTTP1Machine(HTTP1Patience(), maximumUnread: 1_000, now: start)
        var facts = HTTP1RequestFacts(bodySize: 100)
        switch state {
        case .idle, .closed, .receiving, .answering, .begun: break
        case .forbidden: facts.isForbidden = true
        case .lastForbidden: (facts.isForbidden, facts.keepsAlive) = (true, false)
        case .lastBegun, .last: facts.keepsAlive = false
        case .headBegun: facts.isHEAD = true
        case .uploading, .uploadBegun, .full, .fullWithRead, .fullWithReadBegun, .uploaded: (facts.isUpload, facts.keepsAlive) = (true, false)
        case .refused, .refusedWritten: (facts.isForbidden, facts.asks) = (true, true)
        }
        if state == .closed { _ = machine.receivedNonsense() }
        guard state != .idle, state != .closed else { return machine }
        _ = machine.received(facts, at: start)
        let isReceiving = [State.receiving, .forbidden, .lastForbidden].contains(state)
        if isReceiving { _ = machine.receivedBody(60, at: start) }
        if [.answering, .begun, .lastBegun, .headBegun, .uploaded, .last].contains(state) { _ = machine.receivedEnd(at: start) }
        if [.full, .fullWithRead, .fullWithReadBegun].contains(state) { machine.uploadIsFull() }
        if [.fullWithRead, .fullWithReadBegun].contains(state) { _ = machine.read() }
        if [.begun, .lastBegun, .headBegun, .uploadBegun, .fullWithReadBegun, .uploaded, .last].contains(state) { _ = machine.answerBegins() }
        if state == .last { _ = machine.answerEnds(at: start) }
        if state == .refusedWritten { _ = machine.lastWritten() }
        return machine
    }

    private static func apply(_ event: Event, to machine: inout HTTP1Machine) -> String? {
        let facts = HTTP1RequestFacts(bodySize: 100)
        let asks = HTTP1RequestFacts(asks: true, bodySize: 100)
        switch event {
        case .head: return text(machine.received(facts, at: start))
        case .askingHead: return text(machine.received(asks, at: start))
        case .upload: return text(machine.received(HTTP1RequestFacts(bodySize: 100, isUpload: true, keepsAlive: false), at: start))
        case .askingUpload:
            return text(machine.received(HTTP1RequestFacts(asks: true, announcedSize: 101, bodySize: 100, isUpload: true), at: start))
        case .forbiddenHead: return text(machine.received(HTTP1RequestFacts(isForbidden: true, bodySize: 100), at: start))
        case .forbiddenAskingHead: return text(machine.received(HTTP1RequestFacts(isForbidden: true, asks: true, bodySize: 100), at: start))
        case .largeAskingHead: return text(machine.received(HTTP1RequestFacts(asks: true, announcedSize: 101, bodySize: 100), at: start))
        case .body: return text(machine.receivedBody(40, at: start))
        case .tooMuch: return text(machine.receivedBody(41, at: start))
        case .end: return text(machine.receivedEnd(at: start))
        case .nonsense: return machine.receivedNonsense() ? "answer" : nil
        case .full:
            machine.uploadIsFull()
            return nil
        case .read: return machine.read() ? "read" : nil
        case .room: return machine.uploadHasRoom(at: start) ? "read" : nil
        case .begin: return text(machine.answerBegins())
        case .piece: return text(machine.answerContinues(1_000, at: start))
        case .unreadPiece: return text(machine.answerContinues(1_001, at: start))
        case .finish: return text(machine.answerEnds(at: start))
        case .cut: return machine.answerIsCut() ? "close" : nil
        case .lastWritten: return machine.lastWritten() ? "close" : nil
        case .silence: return machine.isOutOfPatience(at: start + .seconds(61)) ? "close" : nil
        case .longSilence: return machine.isOutOfPatience(at: start + .seconds(301)) ? "close" : nil
        }
    }

    @Test(arguments: State.allCases, Event.allCases)
    func `every event in every state`(state: State, event: Event) {
        var machine = Self.machine(in: state)
        #expect(Self.apply(event, to: &machine) == Self.table[event]?[state], "\(event) when \(state)")
    }

    @Test(arguments: State.allCases, [Event.tooMuch, .nonsense, .unreadPiece, .finish, .cut, .lastWritten, .end])
    func `after the decision to close, only reads of the socket are let through`(state: State, event: Event) {
        var machine = Self.machine(in: state)
        guard Self.apply(event, to: &machine) == "close" else { return }
        for next in Event.allCases where ![.silence, .longSilence].contains(next) {
            #expect(Self.apply(next, to: &machine) == (next == .read ? "read" : nil), "\(next) after \(event) when \(state)")
        }
    }

    @Test func `a request that trickles in is given up after five minutes`() {
        var machine = Self.machine(in: .receiving)
        for seconds in stride(from: Int64(30), through: 300, by: 30) {
            #expect(!machine.isOutOfPatience(at: Self.start + .seconds(seconds)))
            _ = machine.receivedBody(1, at: Self.start + .seconds(seconds))
        }
        #expect(machine.isOutOfPatience(at: Self.start + .seconds(301)))
    }

    @Test func `a client that does not read is given up after half a minute without progress, whatever it sends`() {
        var machine = Self.machine(in: .begun)
        _ = machine.answerContinues(600, at: Self.start + .seconds(100))
        _ = machine.answerEnds(at: Self.start + .seconds(100))
        #expect(!machine.isOutOfPatience(at: Self.start + .seconds(130)))
        #expect(machine.isOutOfPatience(at: Self.start + .seconds(131)))
        machine.wrote(500, at: Self.start + .seconds(129))
        _ = machine.received(HTTP1RequestFacts(bodySize: 100), at: Self.start + .seconds(158))
        #expect(!machine.isOutOfPatience(at: Self.start + .seconds(159)))
        #expect(machine.isOutOfPatience(at: Self.start + .seconds(160)))
        machine.wrote(100, at: Self.start + .seconds(159))
        #expect(!machine.isOutOfPatience(at: Self.start + .seconds(219)))
    }

    @Test func `a body for which there is no room is answered immediately, and its rest is dropped`() {
        var machine = Self.machine(in: .receiving)
        #expect(machine.bodyIsUnwanted() == .unwanted)
        #expect(machine.receivedBody(40, at: Self.start) == .drop)
        #expect(machine.lastWritten() == false)
        #expect(machine.receivedEnd(at: Self.start) == .close)
    }

    @Test func `what was written makes room for more of the answer`() {
        var machine = Self.machine(in: .begun)
        #expect(machine.answerContinues(900, at: Self.start) == .send)
        machine.wrote(900, at: Self.start)
        #expect(machine.answerContinues(900, at: Self.start) == .send)
        #expect(machine.answerContinues(101, at: Self.start) == .close)
    }

    @Test func `an upload that was full is read on when there is room, and may become full again`() {
        var machine = Self.machine(in: .full)
        #expect(machine.uploadHasRoom(at: Self.start) == false)
        #expect(machine.read() == true)
        machine.uploadIsFull()
        #expect([machine.read(), machine.read()] == [false, false])
        #expect([machine.uploadHasRoom(at: Self.start), machine.uploadHasRoom(at: Self.start)] == [true, false])
    }

    // MARK: Words for the actions

    private static func text(_ action: HTTP1Machine.HeadAction) -> String? {
        switch action {
        case .ignore: nil
        case .receive(let asks): asks ? "ask, receive" : "receive"
        case .upload(let asks): asks ? "ask, upload" : "upload"
        case .refuse(let refusal): text(refusal)
        }
    }

    private static func text(_ action: HTTP1Machine.BodyAction) -> String? {
        switch action {
        case .drop: nil
        case .collect: "collect"
        case .deliver: "deliver"
        case .refuse(let refusal): text(refusal)
        }
    }

    private static func text(_ refusal: HTTP1Refusal) -> String {
        switch refusal {
        case .forbidden: "refuse"
        case .unwanted: "unwanted"
        case .tooLarge(let size): size == 100 ? "too large" : "?"
        }
    }

    private static func text(_ action: HTTP1Machine.EndAction) -> String? {
        switch action {
        case .ignore: nil
        case .handle: "handle"
        case .refuse(let closes): closes ? "refuse and close" : "refuse"
        case .finishBody: "finish body"
        case .close: "close"
        }
    }

    private static func text(_ action: HTTP1Machine.BeginAction) -> String? {
        switch action {
        case .ignore: nil
        case .send(let closes): closes ? "send, closing" : "send"
        }
    }

    private static func text(_ action: HTTP1Machine.PieceAction) -> String? {
        switch action {
        case .ignore: nil
        case .send: "send"
        case .confirm: "confirm"
        case .close: "close"
        }
    }

    private static func text(_ action: HTTP1Machine.FinishAction) -> String? {
        switch action {
        case .ignore: nil
        case .send: "send"
        case .sendLast: "send, then close"
        case .sendEarly(let reads): reads ? "send, read and drop the rest" : "send and drop the rest"
        case .close: "close"
        }
    }
}
