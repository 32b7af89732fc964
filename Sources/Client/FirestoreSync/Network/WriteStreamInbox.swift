// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

/// The events of a Write stream that the engine has not taken yet: while it stores one answer, others arrive, which it then stores
/// together.
final class WriteStreamInbox: Sendable {
    enum Arrival {
        /// The engine must be notified.
        case first
        /// It was notified and has not come yet.
        case further
        /// The stream must not be read on before the engine has come.
        case full
    }

    private let capacity: Int
    private let events = Mutex<[WriteStreamEvent]>([])

    init(capacity: Int) { self.capacity = capacity }

    func add(_ event: WriteStreamEvent) -> Arrival {
        events.withLock { events in
            events.append(event)
            return events.count == 1 ? .first : events.count < capacity ? .further : .full
        }
    }

    /// Takes all events; empty if they were taken before.
    func take() -> [WriteStreamEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
