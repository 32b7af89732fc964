// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEvents
import Logging

/// Writes what happens to the events of a trigger to the log: what an operator must know, and not every event.
final class EventJournal: Sendable {
    private let log: Logger
    private let metadata: Logger.Metadata
    /// Whether the last attempt has failed: only the first failure in a row is a warning.
    private let isFailing = Mutex(false)

    init(_ trigger: WebhookTrigger, log: Logger) {
        self.log = log
        metadata = [
            "trigger": "\(trigger.trigger.name)", "project": "\(trigger.database.projectID)",
            "database": "\(trigger.database.databaseID)",
        ]
    }

    func note(_ report: EventReport) {
        switch report {
        case .delivered(let event, let attempt, _):
            if isFailing.withLock({ isFailing in
                defer { isFailing = false }
                return isFailing
            }) {
                say(.notice, "the receiver acknowledges events again")
            }
            say(.debug, "event delivered", ["event": "\(event.id)", "attempt": "\(attempt)"])
        case .failed(let event, let attempt, let failure):
            let isFirst = isFailing.withLock { isFailing in
                defer { isFailing = true }
                return !isFailing
            }
            say(
                isFirst ? .warning : .debug, "an event was not acknowledged; it is tried again",
                ["event": "\(event.id)", "attempt": "\(attempt)"].merging(Self.metadata(of: failure)) { $1 })
        case .buried(let event, let attempts, let failure):
            say(
                .error, "an event was given up; `hearth events list` shows it, `hearth events retry` delivers it again",
                ["event": "\(event.id)", "document": "\(event.key.path)", "attempts": "\(attempts)"]
                    .merging(Self.metadata(of: failure)) { $1 })
        case .shelfShortened(let count):
            say(.error, "the oldest events that were given up have been removed, because there are too many", ["events": "\(count)"])
        case .switchedOff(let failure):
            say(
                .error, "the receiver wants no more events: the trigger is off, after a restart too, until it is changed or a SIGHUP comes",
                Self.metadata(of: failure))
        case .suspectedLoop(let key):
            say(
                .warning,
                "a document has 100 events in a minute; if a receiver writes what triggers it, it has to find that nothing is left to do",
                ["document": "\(key.path)"])
        case .lost(let time):
            say(
                .error, "the change log does not reach back to the place of the trigger: events are lost; it continues at the present end",
                ["after": "\(time.timestamp.text)"])
        case .trouble(let error): say(.error, "events cannot be read or noted; this is tried again", ["error": "\(error)"])
        }
    }

    private func say(_ level: Logger.Level, _ text: Logger.Message, _ more: Logger.Metadata = [:]) {
        log.log(level: level, text, metadata: metadata.merging(more) { $1 })
    }

    private static func metadata(of failure: DeliveryFailure) -> Logger.Metadata {
        // The text of a receiver is not logged: it may repeat the values of the event. Dead events keep it for administrators.
        if let status = failure.status { return ["status": "\(status)"] }
        return ["reason": "\(failure.answer.quoted)"]
    }
}
