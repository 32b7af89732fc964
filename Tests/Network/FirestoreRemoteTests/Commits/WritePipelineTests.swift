// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreRemote

/// What goes when, and what the end of a stream means: every event in every state (LS-38 … LS-42).
struct WritePipelineTests {
    /// Commits are numbered in the order of their submission.
    enum State: String, CaseIterable, Sendable {
        case closed
        /// 1 is away by itself.
        case calling
        /// 2 waits for the stream.
        case opening
        /// 1 is away by itself, 2 waits for the stream.
        case openingWhileCalling
        /// The stream has answered 2.
        case open
        /// 2 is sent on a stream that has answered nothing.
        case fresh
        /// 3 and 4 are sent on a stream that has answered before.
        case sending
        /// As `sending`, while 5 can only be sent alone, and 6 waits behind it.
        case mixed
        /// 3 was aborted and waits for another attempt, 4 behind it.
        case paused
        case resting, unsupported

        var next: Int {
            switch self {
            case .closed: 1
            case .calling: 2
            case .sending, .paused: 5
            case .mixed: 7
            default: 3
            }
        }
    }

    enum Event: String, CaseIterable, Sendable {
        case submit, submitAlone, callEnded, opened, answered, closed, notFound, aborted, unimplemented, unavailable, resourceExhausted
        case rested, resumed, lookedAround, shutDown
    }

    /// What a state does at an event; what is not in the table does nothing.
    static let table: [Event: [State: [String]]] = [
        .submit: [
            .closed: ["call 1"], .calling: ["open"], .open: ["send 3"], .fresh: ["send 3"], .sending: ["send 5"], .resting: ["call 3"],
            .unsupported: ["call 3"],
        ],
        .submitAlone: [.closed: ["call 1"], .open: ["call 3"], .resting: ["call 3"], .unsupported: ["call 3"]],
        .callEnded: [.calling: ["finish 1"], .openingWhileCalling: ["finish 1"]],
        .opened: [.opening: ["look", "send 2"], .openingWhileCalling: ["look"]],
        .answered: [
            .closed: ["cancel"], .calling: ["cancel"], .opening: ["cancel", "fail 2 unavailable", "rest 1 unavailable"],
            .openingWhileCalling: ["cancel", "rest 1 unavailable"], .open: ["cancel"], .fresh: ["finish 2"], .sending: ["finish 3"],
            .paused: ["cancel"], .mixed: ["finish 3"], .resting: ["cancel"], .unsupported: ["cancel"],
        ],
        .closed: [
            .opening: ["fail 2 unavailable", "rest 1 unavailable"], .openingWhileCalling: ["rest 1 unavailable"],
            .fresh: ["fail 2 unavailable", "rest 1 unavailable"], .sending: ["fail 3 unavailable", "fail 4 unavailable"],
            .mixed: ["fail 3 unavailable", "fail 4 unavailable", "call 5", "open"],
        ],
        .notFound: [
            .opening: ["rest 1 notFound", "call 2"], .openingWhileCalling: ["rest 1 notFound"], .fresh: ["fail 2 notFound"],
            .sending: ["fail 3 notFound", "call 4"], .mixed: ["fail 3 notFound", "open"],
        ],
        .aborted: [
            .opening: ["rest 1 aborted", "call 2"], .openingWhileCalling: ["rest 1 aborted"], .fresh: ["pause 1"], .sending: ["pause 1"],
            .mixed: ["pause 1"],
        ],
        .unimplemented: [
            .opening: ["call 2"], .fresh: ["fail 2 unimplemented"], .sending: ["fail 3 unimplemented", "call 4"],
            .mixed: ["fail 3 unimplemented", "open"],
        ],
        .unavailable: [
            .opening: ["fail 2 unavailable", "rest 1 unavailable"], .openingWhileCalling: ["rest 1 unavailable"],
            .fresh: ["fail 2 unavailable", "rest 1 unavailable"], .sending: ["fail 3 unavailable", "fail 4 unavailable"],
            .mixed: ["fail 3 unavailable", "fail 4 unavailable", "call 5", "open"],
        ],
        // An error of the server itself is reported for the oldest; the results of the others are unknown.
        .resourceExhausted: [
            .opening: ["rest 1 resourceExhausted", "call 2"], .openingWhileCalling: ["rest 1 resourceExhausted"],
            .fresh: ["fail 2 resourceExhausted", "rest 1 resourceExhausted"], .sending: ["fail 3 resourceExhausted", "fail 4 unavailable"],
            .mixed: ["fail 3 resourceExhausted", "fail 4 unavailable", "call 5", "open"],
        ],
        .resumed: [.paused: ["open"]],
        .lookedAround: [.open: ["look"], .fresh: ["look"], .sending: ["look"], .mixed: ["look"]],
        .shutDown: [.open: ["close"]],
    ]

    @Test(arguments: State.allCases, Event.allCases)
    func `every event in every state`(state: State, event: Event) {
        var pipeline = Self.pipeline(in: state)
        let said = Self.text(of: Self.apply(event, to: &pipeline, next: state.next))
        #expect(said == Self.table[event]?[state] ?? [], "\(event) when \(state)")
    }

    private static func pipeline(in state: State) -> WritePipeline<Int> {
        var pipeline = WritePipeline<Int>(.ownServer)
        func submit(_ numbers: ClosedRange<Int>) {
            for number in numbers { _ = pipeline.submit(number, bytes: 100, by: .stream) }
        }
        switch state {
        case .closed: break
        case .calling: submit(1...1)
        case .openingWhileCalling: submit(1...2)
        case .opening, .fresh, .open, .sending, .mixed, .paused, .resting, .unsupported:
            submit(1...2)
            _ = pipeline.callEnded()
        }
        switch state {
        case .closed, .calling, .openingWhileCalling, .opening: break
        case .resting: _ = pipeline.ended(FirestoreError(.unavailable, "lost"))
        case .unsupported:
            _ = pipeline.ended(FirestoreError(.unimplemented, "none"))
            _ = pipeline.callEnded()
        case .fresh: _ = pipeline.opened()
        case .open, .sending, .mixed, .paused:
            _ = pipeline.opened()
            _ = pipeline.answered()
        }
        if state == .sending || state == .mixed || state == .paused { submit(3...4) }
        if state == .paused { _ = pipeline.ended(FirestoreError(.aborted, "a conflict")) }
        if state == .mixed {
            _ = pipeline.submit(5, bytes: 100, by: .call)
            submit(6...6)
        }
        return pipeline
    }

    private static func apply(
        _ event: Event, to pipeline: inout WritePipeline<Int>, next: Int
    ) -> [WritePipeline<Int>.Effect] {
        func end(_ code: FirestoreError.Code) -> FirestoreError { FirestoreError(code, "\(code)") }
        switch event {
        case .submit: return pipeline.submit(next, bytes: 100, by: .stream)
        case .submitAlone: return pipeline.submit(next, bytes: 100, by: .call)
        case .callEnded: return pipeline.callEnded()
        case .opened: return pipeline.opened()
        case .answered: return pipeline.answered()
        case .closed: return pipeline.ended(nil)
        case .notFound: return pipeline.ended(end(.notFound))
        case .aborted: return pipeline.ended(end(.aborted))
        case .unimplemented: return pipeline.ended(end(.unimplemented))
        case .unavailable: return pipeline.ended(end(.unavailable))
        case .resourceExhausted: return pipeline.ended(end(.resourceExhausted))
        case .rested: return pipeline.rested()
        case .resumed: return pipeline.resumed()
        case .lookedAround: return pipeline.lookedAround()
        case .shutDown: return pipeline.shutDown()
        }
    }

    static func text(of effects: [WritePipeline<Int>.Effect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .open: "open"
            case .send(let number): "send \(number)"
            case .call(let number): "call \(number)"
            case .finish(let number): "finish \(number)"
            case .fail(let number, let error): "fail \(number) \(error.code)"
            case .pause(let failures): "pause \(failures)"
            case .rest(let failures, let code): "rest \(failures) \(code)"
            case .lookAround: "look"
            case .close: "close"
            case .cancel: "cancel"
            }
        }
    }

    // MARK: Stories

    @Test func `commits behind one that is sent alone fail after it`() {
        var pipeline = Self.pipeline(in: .openingWhileCalling)
        #expect(Self.text(of: pipeline.ended(FirestoreError(.unavailable, "lost"))) == ["rest 1 unavailable"])
        _ = pipeline.submit(3, bytes: 100, by: .stream)
        // 3 came later, before any attempt.
        #expect(Self.text(of: pipeline.callEnded()) == ["finish 1", "fail 2 unavailable", "call 3"])
    }

    @Test func `a commit that is aborted is tried again in order, five times (LS-40)`() {
        var pipeline = Self.pipeline(in: .sending)
        let conflict = FirestoreError(.aborted, "a conflict")
        for attempt in 1...4 {
            #expect(Self.text(of: pipeline.ended(conflict)) == ["pause \(attempt)"])
            #expect(Self.text(of: pipeline.resumed()) == ["open"])
            #expect(Self.text(of: pipeline.opened()) == ["look", "send 3", "send 4"])
        }
        #expect(Self.text(of: pipeline.ended(conflict)) == ["fail 3 aborted", "call 4"])
        for attempt in 1...4 {
            #expect(Self.text(of: pipeline.callEnded(conflict)) == ["pause \(attempt)"])
            #expect(Self.text(of: pipeline.resumed()) == ["call 4"])
        }
        #expect(Self.text(of: pipeline.callEnded(conflict)) == ["finish 4"])
    }

    @Test func `when the server cannot be reached all waiting commits fail`() {
        var pipeline = Self.pipeline(in: .resting)
        for number in 3...5 { _ = pipeline.submit(number, bytes: 100, by: .stream) }
        var error = FirestoreError(.unavailable, "nobody is there")
        error.progress = .notConnected
        #expect(Self.text(of: pipeline.callEnded(error)) == ["finish 3", "fail 4 unavailable", "fail 5 unavailable"])
    }

    @Test func `a permanent status that the transport has made up does not mean that nothing was applied`() {
        var pipeline = Self.pipeline(in: .sending)
        var error = FirestoreError(.permissionDenied, "a proxy says no")
        error.progress = .unknown
        #expect(Self.text(of: pipeline.ended(error)) == ["fail 3 permissionDenied", "fail 4 unavailable"])
    }

    @Test func `a stream is opened again after the backoff, for more than one`() {
        var pipeline = Self.pipeline(in: .resting)
        _ = pipeline.submit(3, bytes: 100, by: .stream)
        #expect(Self.text(of: pipeline.submit(4, bytes: 100, by: .stream)) == [])
        #expect(Self.text(of: pipeline.rested()) == ["open"])
        #expect(Self.text(of: pipeline.ended(FirestoreError(.unauthenticated, "no"))) == ["rest 2 unauthenticated"])
        #expect(Self.text(of: pipeline.callEnded()) == ["finish 3", "call 4"])
    }

    @Test func `the handshake does not end the backoff, the first answer does (LS-42)`() {
        var pipeline = Self.pipeline(in: .fresh)
        #expect(Self.text(of: pipeline.ended(FirestoreError(.unavailable, "lost"))) == ["fail 2 unavailable", "rest 1 unavailable"])
        _ = pipeline.rested()
        for number in 3...4 { _ = pipeline.submit(number, bytes: 100, by: .stream) }
        _ = pipeline.callEnded()
        #expect(Self.text(of: pipeline.opened()) == ["look", "send 4"])
        #expect(Self.text(of: pipeline.ended(FirestoreError(.unavailable, "lost"))) == ["fail 4 unavailable", "rest 2 unavailable"])
        _ = pipeline.rested()
        for number in 5...6 { _ = pipeline.submit(number, bytes: 100, by: .stream) }
        _ = pipeline.callEnded()
        _ = pipeline.opened()
        _ = pipeline.answered()
        _ = pipeline.submit(7, bytes: 100, by: .stream)
        #expect(Self.text(of: pipeline.ended(FirestoreError(.unavailable, "lost"))) == ["fail 7 unavailable"])
    }

    @Test func `no more go ahead than the window, which grows with answers and falls with a failure`() {
        var pipeline = WritePipeline<Int>(WriteAhead(most: 6, first: 4, least: 2))
        for number in 1...20 { _ = pipeline.submit(number, bytes: 100, by: .stream) }
        _ = pipeline.callEnded()
        #expect(Self.text(of: pipeline.opened()) == ["look", "send 2", "send 3", "send 4", "send 5"])
        #expect(Self.text(of: pipeline.answered()) == ["finish 2", "send 6", "send 7"])
        #expect(Self.text(of: pipeline.answered()) == ["finish 3", "send 8", "send 9"])
        #expect(Self.text(of: pipeline.answered()) == ["finish 4", "send 10"])
        #expect(Self.text(of: pipeline.ended(FirestoreError(.alreadyExists, "5"))) == ["fail 5 alreadyExists", "open"])
        #expect(Self.text(of: pipeline.opened()) == ["look", "send 6", "send 7"])
    }

    @Test func `bytes in flight are bounded, and a larger batch is sent alone`() {
        var pipeline = WritePipeline<Int>(WriteAhead(most: 100, bytes: 1_000, largest: 1_500))
        for (number, bytes) in [(1, 1), (2, 1_200), (3, 600), (4, 400), (5, 1), (6, 1_501)] {
            _ = pipeline.submit(number, bytes: bytes, by: .stream)
        }
        _ = pipeline.callEnded()
        #expect(Self.text(of: pipeline.opened()) == ["look", "send 2"])
        #expect(Self.text(of: pipeline.answered()) == ["finish 2", "send 3", "send 4"])
        #expect(Self.text(of: pipeline.answered()) == ["finish 3", "send 5"])
        #expect(Self.text(of: pipeline.answered()) == ["finish 4"])
        #expect(Self.text(of: pipeline.answered()) == ["finish 5", "call 6"])
    }

    @Test func `an unused stream is closed at the second look`() {
        var pipeline = Self.pipeline(in: .open)
        #expect(Self.text(of: pipeline.lookedAround()) == ["look"])
        #expect(Self.text(of: pipeline.lookedAround()) == ["close"])
        #expect(Self.text(of: pipeline.submit(3, bytes: 100, by: .stream)) == ["call 3"])
    }

    @Test(arguments: [
        ("firestore.googleapis.com", 10), ("FIRESTORE.googleapis.com.", 10), ("eur3-firestore.googleapis.com", 10), ("googleapis.com", 10),
        ("notgoogleapis.com", 256), ("127.0.0.1", 256), ("googleapis.com.example.org", 256),
    ])
    func `Google's service gets as many as its SDKs send`(host: String, most: Int) {
        #expect(WriteAhead.towards(host: host).most == most)
    }
}
