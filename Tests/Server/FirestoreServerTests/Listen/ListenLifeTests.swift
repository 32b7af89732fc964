// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import Testing

@testable import FirestoreServer

/// How a Listen stream ends: every event in every state of its life.
struct ListenLifeTests {
    enum State: String, CaseIterable, Sendable {
        /// Without targets.
        case empty
        /// With target 2, which is current; so in the three that follow.
        case open
        case halfClosed
        /// The time for the last snapshot is asked for.
        case draining
        case drainingHalfClosed
        /// The answer to a request waits for capacity.
        case refused
        case over
    }

    enum Event: String, CaseIterable, Sendable {
        case halfClose, drain, time, noTime
        /// Three ticks pass.
        case idle
        /// Target 2 is removed.
        case remove
        /// The peer asks for another database.
        case breach
        case noDatabase, room
    }

    /// What a state does at an event; what is not in the table does nothing.
    static let table: [Event: [State: [String]]] = [
        .halfClose: [.empty: ["finish ok"]],
        .drain: [.empty: ["finish unavailable"], .open: ["time?"], .halfClosed: ["time?"]],
        .time: [
            .draining: ["SNAPSHOT @50 +token", "finish unavailable"], .drainingHalfClosed: ["SNAPSHOT @50 +token", "finish unavailable"],
        ],
        .noTime: [
            .empty: ["finish unavailable"], .open: ["finish unavailable"], .halfClosed: ["finish unavailable"], .draining: ["finish unavailable"],
            .drainingHalfClosed: ["finish unavailable"], .refused: ["finish unavailable"],
        ],
        .idle: [.open: ["time?"], .halfClosed: ["time?"]],
        .remove: [
            .open: ["cancel 1", "REMOVE 2"], .halfClosed: ["cancel 1", "REMOVE 2", "finish ok"], .draining: ["cancel 1", "REMOVE 2"],
            .drainingHalfClosed: ["cancel 1", "REMOVE 2", "finish ok"],
        ],
        .breach: [.empty: ["finish invalidArgument"], .open: ["finish invalidArgument"], .halfClosed: ["finish invalidArgument"]],
        .noDatabase: [
            .empty: ["REMOVE 4 permissionDenied", "finish ok"], .open: ["REMOVE 4 permissionDenied", "finish ok"],
            .halfClosed: ["REMOVE 4 permissionDenied", "finish ok"], .draining: ["REMOVE 4 permissionDenied"],
            .drainingHalfClosed: ["REMOVE 4 permissionDenied"],
        ],
        .room: [.refused: ["REMOVE 2 permissionDenied", "finish ok"]],
    ]

    private static func events(to state: State) -> [ListenEvent] {
        let started: [ListenEvent] = [.add(2), .first(1, at: 10, [document("c/a", at: 5)]), .round(10)]
        return switch state {
        case .empty: []
        case .open: started
        case .halfClosed: started + [.halfClose]
        case .draining: started + [.drain]
        case .drainingHalfClosed: started + [.halfClose, .drain]
        case .refused: [.full, .noDatabase(2)]
        case .over: started + [.addElsewhere(4)]
        }
    }

    private static func events(of event: Event) -> [ListenEvent] {
        switch event {
        case .halfClose: [.halfClose]
        case .drain: [.drain]
        case .time: [.time(50)]
        case .noTime: [.noTime]
        case .idle: [.tick, .tick, .tick]
        case .remove: [.remove(2)]
        case .breach: [.addElsewhere(4)]
        case .noDatabase: [.noDatabase(4)]
        case .room: [.room]
        }
    }

    @Test(arguments: State.allCases, Event.allCases)
    func `every event in every state`(state: State, event: Event) {
        var stream = ListenStory()
        for event in Self.events(to: state) { _ = stream.tell(event) }
        let done = Self.events(of: event).flatMap { stream.tell($0) }
        #expect(done == Self.table[event]?[state] ?? [], "\(event) when \(state)")
    }
}
