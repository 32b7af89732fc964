// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreEvents

/// How the delivery of a trigger's events proceeds.
package struct TriggerStatus: Sendable {
    package enum State: String, Sendable {
        case on = "ON"
        /// The last attempt has failed; it is repeated.
        case failing = "FAILING"
        /// The receiver wants no more events.
        case off = "OFF"
        /// The database is not open, because it does not exist yet or cannot be opened.
        case waiting = "WAITING"
    }

    package let webhook: WebhookTrigger
    package var state = State.waiting
    /// Why it is off or failing.
    package var failure: DeliveryFailure?
    /// The events in memory that are not answered.
    package var pending = 0
    /// Since the commit of the oldest event that is not answered, in microseconds; nil if there is none.
    package var lag: Int64?
    /// The events that were acknowledged since delivery by the trigger began.
    package var delivered = 0

    init(_ webhook: WebhookTrigger) { self.webhook = webhook }

    /// For the console. What follows the path of the URL can be secret.
    package var json: JSON {
        let trigger = webhook.trigger
        let kinds = webhook.isWritten ? ["written"] : EventKind.allCases.filter(trigger.kinds.contains).map(\.rawValue)
        var members: [(name: String, value: JSON)] = [
            ("name", .string(trigger.name)), ("document", .string(trigger.pattern.description)),
            ("on", .array(kinds.map { .string($0) })), ("url", .string(String(webhook.url.description.prefix { $0 != "?" && $0 != "#" }))),
            ("ordered", .boolean(trigger.isOrdered)), ("state", .string(state.rawValue)), ("pending", .number(pending)),
            ("delivered", .number(delivered)),
        ]
        if let lag { members.append(("lag", .number(String(Double(lag / 1_000) / 1_000)))) }
        if let status = failure?.status { members.append(("status", .number(status))) }
        if let failure { members.append(("answer", .string(failure.answer))) }
        return .object(members)
    }
}
