// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreStorage

/// Which changes of a database are delivered, and how.
package struct EventTrigger: Sendable {
    /// Who receives the events. Both have separate names.
    package enum Owner: String, Sendable {
        case webhook, handler
    }

    /// Where the first delivery begins. Later, a trigger continues where it was.
    package enum Start: Sendable, Equatable {
        case now
        case time(DocumentVersion)
    }

    package var owner: Owner
    package var name: String
    package var pattern: DocumentPattern
    package var kinds: Set<EventKind>
    /// Whether the next event of a document waits for the one before.
    package var isOrdered = true
    /// How many events are delivered at the same time.
    package var concurrency = 16
    /// How long a failing event is tried again, from its commit on.
    package var ageLimit = Duration.seconds(86_400)
    package var start = Start.now
    /// Whether the place of the trigger is stored, so that it continues there after a restart.
    package var isDurable = true
    /// A text that changes with what the trigger delivers, or to whom. A trigger whose receiver wants no more events is off until then.
    package var definition = ""

    package init(owner: Owner, name: String, pattern: DocumentPattern, kinds: Set<EventKind> = Set(EventKind.allCases)) {
        self.owner = owner
        self.name = name
        self.pattern = pattern
        self.kinds = kinds
    }

    /// Fails with `invalidArgument` for a name that cannot be stored.
    package static func check(name: String) throws(FirestoreError) {
        let isPlain = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
        }
        guard isPlain, (1...63).contains(name.utf8.count) else {
            throw .invalidArgument("\"\(name)\" is not the name of a trigger: use 1 to 63 letters, digits, hyphens, underscores and dots")
        }
    }

    /// Its name among all that is stored about events.
    package var storedName: String { "\(owner.rawValue)/\(name)" }

    /// The event of a change; nil if the trigger is not for it.
    func event(of change: CommittedChange, at time: DocumentVersion, history: UInt64) -> ChangeEvent? {
        guard let kind = change.kind, kinds.contains(kind), let params = pattern.match(change.key) else { return nil }
        return ChangeEvent(
            id: EventID.make(history: history, time: time, key: change.key, trigger: storedName), kind: kind, time: time, key: change.key,
            before: change.old, after: change.new, params: params)
    }
}
