// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Testing

@testable import FirestoreRPC

/// When a peer is asked whether it is there, and how a connection ends: every event in every state.
struct ConnectionCareTests {
    /// Pinged after 30 seconds of silence, given up after 20 more, closed after 100 without a call.
    enum State: String, CaseIterable, Sendable {
        /// One call is open.
        case busy
        case idle
        /// Was asked whether it is there, with a call open.
        case asked
        case askedWhileIdle
        /// The first GOAWAY is out, a call open.
        case announced
        case announcedWhileIdle
        case finishing
        case finishingAsked
        case closing
        case closingAsked
        case givenUp
    }

    enum Event: String, CaseIterable, Sendable {
        /// Something comes from the peer.
        case heard
        /// The timer fires 10 seconds after the last byte of the peer, 30, and 100.
        case soon, late, tooLate
        /// The timer fires 10 seconds after another byte of the peer.
        case heardThenSoon
        case lastCallEnded
        case stop
        case announcementSeen
    }

    /// What a state does at an event; what is not in the table does nothing.
    static let table: [Event: [State: [String]]] = [
        .soon: every(["look after 20"], but: [.asked: ["give up"], .askedWhileIdle: ["give up"]]),
        .late: every(["ping", "look after 20"], but: [.asked: ["give up"], .askedWhileIdle: ["give up"]]),
        .tooLate: every(
            ["ping", "look after 20"],
            but: [
                .idle: ["announce 20", "close"], .announcedWhileIdle: ["close"], .asked: ["give up"], .askedWhileIdle: ["give up"],
            ]),
        .heardThenSoon: every(["look after 20"], but: [.finishingAsked: ["look after 20"], .closingAsked: ["look after 20"]]),
        .lastCallEnded: [.finishing: ["close"], .finishingAsked: ["close"]],
        .stop: [.busy: ["announce 20"], .idle: ["announce 20"], .asked: ["announce 20"], .askedWhileIdle: ["announce 20"]],
        .announcementSeen: [.announced: ["go away"], .announcedWhileIdle: ["close"]],
    ]

    /// For all states but that of a peer that was given up; one that was asked and has not answered is given up.
    private static func every(_ actions: [String], but others: [State: [String]]) -> [State: [String]] {
        var rows = Dictionary(uniqueKeysWithValues: State.allCases.map { ($0, actions) })
        rows[.finishingAsked] = ["give up"]
        rows[.closingAsked] = ["give up"]
        rows[.givenUp] = nil
        return rows.merging(others) { $1 }
    }

    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    /// A peer that was asked last sent something 30 seconds before.
    private static func machine(in state: State) -> ConnectionCareMachine {
        var machine = ConnectionCareMachine(ConnectionCare(closeIdleAfter: .seconds(100)), now: start)
        _ = machine.start(at: start)
        switch state {
        case .busy, .idle: break
        case .asked, .askedWhileIdle: _ = machine.look(at: start + .seconds(30), openCalls: 1)
        case .announced, .announcedWhileIdle: _ = machine.stop()
        case .finishing, .finishingAsked:
            _ = machine.stop()
            _ = machine.announcementSeen(openCalls: 1)
        case .closing, .closingAsked:
            _ = machine.stop()
            _ = machine.announcementSeen(openCalls: 0)
        case .givenUp:
            _ = machine.look(at: start + .seconds(30), openCalls: 1)
            _ = machine.look(at: start + .seconds(50), openCalls: 1)
        }
        if state == .finishingAsked || state == .closingAsked { _ = machine.look(at: start + .seconds(30), openCalls: 1) }
        return machine
    }

    private static func apply(_ event: Event, to machine: inout ConnectionCareMachine, openCalls: Int) -> [ConnectionCareMachine.Action] {
        switch event {
        case .heard:
            machine.heard(at: start + .seconds(40))
            return []
        case .soon: return machine.look(at: start + .seconds(10), openCalls: openCalls)
        case .late: return machine.look(at: start + .seconds(30), openCalls: openCalls)
        case .tooLate: return machine.look(at: start + .seconds(100), openCalls: openCalls)
        case .heardThenSoon:
            machine.heard(at: start + .seconds(40))
            return machine.look(at: start + .seconds(50), openCalls: openCalls)
        case .lastCallEnded: return machine.lastCallEnded()
        case .stop: return machine.stop()
        case .announcementSeen: return machine.announcementSeen(openCalls: openCalls)
        }
    }

    @Test(arguments: State.allCases, Event.allCases)
    func `every event in every state`(state: State, event: Event) {
        var machine = Self.machine(in: state)
        let isIdle = [State.idle, .askedWhileIdle, .announcedWhileIdle, .closing, .closingAsked].contains(state)
        let said = Self.apply(event, to: &machine, openCalls: isIdle ? 0 : 1).map(Self.text)
        #expect(said == Self.table[event]?[state] ?? [], "\(event) when \(state)")
    }

    @Test func `a connection is idle from the end of its last call`() {
        var machine = ConnectionCareMachine(ConnectionCare(closeIdleAfter: .seconds(100)), now: Self.start)
        _ = machine.start(at: Self.start)
        machine.heard(at: Self.start + .seconds(95))
        #expect(machine.lastCallEnded().isEmpty)
        #expect(machine.look(at: Self.start + .seconds(110), openCalls: 0) == [.look(after: .seconds(15))])
        machine.heard(at: Self.start + .seconds(190))
        #expect(machine.look(at: Self.start + .seconds(195), openCalls: 0) == [.announce(patience: .seconds(20)), .close])
    }

    @Test func `without a limit an idle connection stays`() {
        var machine = ConnectionCareMachine(ConnectionCare(), now: Self.start)
        #expect(machine.start(at: Self.start) == [.look(after: .seconds(30))])
        for seconds in stride(from: Int64(30), to: 100_000, by: 30) {
            #expect(machine.look(at: Self.start + .seconds(seconds), openCalls: 0) == [.ping, .look(after: .seconds(20))])
            machine.heard(at: Self.start + .seconds(seconds))
        }
    }

    private static func text(_ action: ConnectionCareMachine.Action) -> String {
        switch action {
        case .ping: "ping"
        case .look(let delay): "look after \(delay.nanoseconds / 1_000_000_000)"
        case .announce(let patience): "announce \(patience.nanoseconds / 1_000_000_000)"
        case .goAway: "go away"
        case .close: "close"
        case .giveUp: "give up"
        }
    }
}
