// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The transactions that may retry at each place, and those that wait for it, in order of arrival.
///
/// It decides; `TransactionTurns` waits and resumes.
struct TransactionLanes {
    typealias Ticket = Int

    enum Entry: Equatable {
        /// No lane exists, and none was required.
        case free
        case turn(Ticket)
        case wait(Ticket)
        /// Too many transactions wait already.
        case full
    }

    private struct Lane {
        var holder: Ticket
        var waiting: [Ticket] = []
    }

    private let capacity: Int
    /// By place; `DocumentKey` because it compares bytes.
    private var lanes: [DocumentKey: Lane] = [:]
    private var lastTicket = 0

    init(capacity: Int) { self.capacity = capacity }

    var isEmpty: Bool { lanes.isEmpty }

    /// `opensLane`: after a conflict. A first attempt waits only if a lane exists.
    mutating func enter(_ place: DocumentKey, opensLane: Bool) -> Entry {
        guard var lane = lanes[place] else {
            guard opensLane else { return .free }
            lastTicket += 1
            lanes[place] = Lane(holder: lastTicket)
            return .turn(lastTicket)
        }
        // Transactions after a conflict always wait; without a limit the others would hold one thread each.
        guard opensLane || lane.waiting.count < capacity else { return .full }
        lastTicket += 1
        lane.waiting.append(lastTicket)
        lanes[place] = lane
        return .wait(lastTicket)
    }

    /// Ends a turn or a wait; returns the ticket whose turn begins, if that changes.
    mutating func leave(_ place: DocumentKey, _ ticket: Ticket) -> Ticket? {
        guard var lane = lanes[place] else { return nil }
        defer { lanes[place] = lane.holder == 0 ? nil : lane }
        guard lane.holder == ticket else {
            lane.waiting.removeAll { $0 == ticket }
            return nil
        }
        // Tickets start at 1.
        lane.holder = lane.waiting.isEmpty ? 0 : lane.waiting.removeFirst()
        return lane.holder == 0 ? nil : lane.holder
    }
}
