import FirestoreCore

/// Who may try again at which place, and who waits for that, first come, first served.
///
/// Decides; `TransactionTurns` waits and wakes.
struct TransactionLanes {
    typealias Ticket = Int

    enum Entry: Equatable {
        /// Nobody is there, and nobody had to ask.
        case free
        case turn(Ticket)
        case wait(Ticket)
        /// Too many wait already.
        case full
    }

    private struct Lane {
        var holder: Ticket
        var waiting: [Ticket] = []
    }

    private let capacity: Int
    /// By place; `DocumentKey` because it compares by bytes.
    private var lanes: [DocumentKey: Lane] = [:]
    private var lastTicket = 0

    init(capacity: Int) { self.capacity = capacity }

    var isEmpty: Bool { lanes.isEmpty }

    /// `opensLane`: after a conflict. Who comes for the first time only queues up where there is a queue.
    mutating func enter(_ place: DocumentKey, opensLane: Bool) -> Entry {
        guard var lane = lanes[place] else {
            guard opensLane else { return .free }
            lastTicket += 1
            lanes[place] = Lane(holder: lastTicket)
            return .turn(lastTicket)
        }
        // Those who have lost before do so in any case; without a bound others hold one thread each.
        guard opensLane || lane.waiting.count < capacity else { return .full }
        lastTicket += 1
        lane.waiting.append(lastTicket)
        lanes[place] = lane
        return .wait(lastTicket)
    }

    /// Ends a turn or a wait; returns whose turn it is now, if that has changed.
    mutating func leave(_ place: DocumentKey, _ ticket: Ticket) -> Ticket? {
        guard var lane = lanes[place] else { return nil }
        defer { lanes[place] = lane.holder == 0 ? nil : lane }
        guard lane.holder == ticket else {
            lane.waiting.removeAll { $0 == ticket }
            return nil
        }
        // Tickets begin with 1.
        lane.holder = lane.waiting.isEmpty ? 0 : lane.waiting.removeFirst()
        return lane.holder == 0 ? nil : lane.holder
    }
}
