// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// How a connection is looked after.
struct ConnectionCare {
    /// Silence after which the other side is asked whether it is there.
    var pingAfter = TimeAmount.seconds(30)
    var pingTimeout = TimeAmount.seconds(20)
    /// Time without a call after which the connection ends; nil for never.
    var closeIdleAfter: TimeAmount?
}

/// When a connection asks whether its peer is still there, and how it ends. Pure: says what to do, and is told what happens
/// and when.
///
/// A peer is asked after a silence, and given up when it does not answer. A connection that is to end does so in two steps,
/// so that no call is lost: the first GOAWAY names no stream, and a ping follows it. Once that is answered, the peer has seen
/// the GOAWAY and opens nothing more; the second GOAWAY then says which calls have come. With the last of them the
/// connection closes.
struct ConnectionCareMachine {
    enum Action: Equatable {
        /// Ask the peer whether it is there.
        case ping
        /// Call `look` after this time.
        case look(after: TimeAmount)
        /// Send the first GOAWAY and its ping. Call `announcementSeen` when the ping is answered, or after this time.
        case announce(patience: TimeAmount)
        /// Send the second GOAWAY.
        case goAway
        /// Send a GOAWAY, and close once it has gone.
        case close
        /// Close: the peer does not answer.
        case giveUp
    }

    private enum State {
        /// Calls come and go; the last one was over at this time.
        case open(idleSince: NIODeadline)
        /// The first GOAWAY is out: what the peer has sent meanwhile is still taken.
        case announced(idleSince: NIODeadline)
        /// The second one is: calls finish.
        case finishing
        /// The connection closes once what was written has gone. A peer that takes nothing is still found by pings.
        case closing
        case givenUp
    }

    private enum Pulse {
        case heard(at: NIODeadline)
        /// Asked and not heard since.
        case asked(lastHeard: NIODeadline)

        var lastHeard: NIODeadline {
            switch self {
            case .heard(let time), .asked(let time): time
            }
        }
    }

    private let care: ConnectionCare
    private var state: State
    private var pulse: Pulse

    init(_ care: ConnectionCare, now: NIODeadline) {
        self.care = care
        state = .open(idleSince: now)
        pulse = .heard(at: now)
    }

    /// The connection is there.
    mutating func start(at now: NIODeadline) -> [Action] {
        state = .open(idleSince: now)
        pulse = .heard(at: now)
        return [.look(after: care.pingAfter)]
    }

    /// Something has come from the peer.
    mutating func heard(at now: NIODeadline) { pulse = .heard(at: now) }

    /// No call is left.
    mutating func lastCallEnded() -> [Action] {
        switch state {
        case .open: state = .open(idleSince: pulse.lastHeard)
        case .announced: state = .announced(idleSince: pulse.lastHeard)
        case .finishing:
            state = .closing
            return [.close]
        case .closing, .givenUp: break
        }
        return []
    }

    /// The time that `look` named has passed.
    mutating func look(at now: NIODeadline, openCalls: Int) -> [Action] {
        if case .givenUp = state { return [] }
        if case .asked = pulse {
            state = .givenUp
            return [.giveUp]
        }
        if openCalls == 0, let end = endIdle(at: now) { return end }
        let silence = now - pulse.lastHeard
        guard silence >= care.pingAfter else { return [.look(after: care.pingAfter - silence)] }
        pulse = .asked(lastHeard: pulse.lastHeard)
        return [.ping, .look(after: care.pingTimeout)]
    }

    /// nil: it has not been idle for long enough.
    private mutating func endIdle(at now: NIODeadline) -> [Action]? {
        guard let limit = care.closeIdleAfter else { return nil }
        switch state {
        case .open(let idleSince) where now - idleSince >= limit:
            state = .closing
            return [.announce(patience: care.pingTimeout), .close]
        case .announced(let idleSince) where now - idleSince >= limit:
            state = .closing
            return [.close]
        case .open, .announced, .finishing, .closing, .givenUp: return nil
        }
    }

    /// The server stops.
    mutating func stop() -> [Action] {
        guard case .open(let idleSince) = state else { return [] }
        state = .announced(idleSince: idleSince)
        return [.announce(patience: care.pingTimeout)]
    }

    /// The peer has seen the first GOAWAY: what it has not opened yet it will not.
    mutating func announcementSeen(openCalls: Int) -> [Action] {
        guard case .announced = state else { return [] }
        state = openCalls == 0 ? .closing : .finishing
        return openCalls == 0 ? [.close] : [.goAway]
    }
}
