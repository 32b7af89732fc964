// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// How a connection is supervised.
struct ConnectionCare {
    /// After this silence, a ping checks whether the peer is still there.
    var pingAfter = TimeAmount.seconds(30)
    var pingTimeout = TimeAmount.seconds(20)
    /// A connection without calls closes after this time; nil for never.
    var closeIdleAfter: TimeAmount?
}

/// Decides when a connection pings its peer, and how it ends. Pure: it receives events with their times, and returns what to do.
///
/// A silent peer is pinged, and the connection is given up when the peer does not answer. A connection ends in two steps, so that
/// no call is lost: the first GOAWAY names no stream, and a ping follows it. When the ping is answered, the peer has seen the
/// GOAWAY and opens no more streams; the second GOAWAY then names the last accepted call. The connection closes after the last
/// call.
struct ConnectionCareMachine {
    enum Action: Equatable {
        /// Send a ping.
        case ping
        /// Call `look` after this time.
        case look(after: TimeAmount)
        /// Send the first GOAWAY and its ping. Call `announcementSeen` when the ping is answered, or after this time.
        case announce(patience: TimeAmount)
        /// Send the second GOAWAY.
        case goAway
        /// Send a GOAWAY, and close once it has been written.
        case close
        /// Close: the peer does not answer.
        case giveUp
    }

    private enum State {
        /// Calls are accepted; the last one ended at this time.
        case open(idleSince: NIODeadline)
        /// The first GOAWAY was sent: calls that arrive meanwhile are still accepted.
        case announced(idleSince: NIODeadline)
        /// The second GOAWAY was sent: calls finish.
        case finishing
        /// The connection closes once everything is written. Pings still detect a peer that reads nothing.
        case closing
        case givenUp
    }

    private enum Pulse {
        case heard(at: NIODeadline)
        /// A ping was sent, and nothing received since.
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

    /// The connection is established.
    mutating func start(at now: NIODeadline) -> [Action] {
        state = .open(idleSince: now)
        pulse = .heard(at: now)
        return [.look(after: care.pingAfter)]
    }

    /// Something was received from the peer.
    mutating func heard(at now: NIODeadline) { pulse = .heard(at: now) }

    /// The last call has ended.
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

    /// The time given by `look` has passed.
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

    /// nil if it has not been idle for long enough.
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

    /// The peer has seen the first GOAWAY and opens no further streams.
    mutating func announcementSeen(openCalls: Int) -> [Action] {
        guard case .announced = state else { return [] }
        state = openCalls == 0 ? .closing : .finishing
        return openCalls == 0 ? [.close] : [.goAway]
    }
}
