// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// An event that was not acknowledged in time, and the last answer that it got.
package struct DeadLetter: Sendable {
    package let event: ChangeEvent
    /// The stored name of the trigger.
    package let trigger: String
    package let attempts: Int
    package let failure: DeliveryFailure
    /// When it was given up, in microseconds since 1970.
    package let died: Int64
    /// Whether it is to be delivered again.
    package var isRequested = false

    package init(event: ChangeEvent, trigger: String, attempts: Int, failure: DeliveryFailure, died: Int64) {
        self.event = event
        self.trigger = trigger
        self.attempts = attempts
        self.failure = failure
        self.died = died
    }

    /// The name of the trigger without its owner.
    package var triggerName: String { trigger.split(separator: "/").last.map(String.init) ?? trigger }
}

/// Both the stored form and the one that commands show.
extension DeadLetter {
    package func json(in database: DatabaseID, withDocuments: Bool = true) throws(FirestoreError) -> JSON {
        var members: [(name: String, value: JSON)] = [
            ("id", .string(event.id)), ("trigger", .string(trigger)), ("type", .string(event.kind.rawValue)),
            ("document", .string(event.key.path)), ("time", .string(event.time.timestamp.text)),
            ("died", .string(TimestampValue(microsecondsSince1970: died).text)), ("attempts", .number(attempts)),
        ]
        if let status = failure.status { members.append(("status", .number(status))) }
        members.append(("answer", .string(failure.answer)))
        guard withDocuments else { return .object(members) }
        members.append(("params", .object(event.params.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })))
        if let before = event.before { members.append(("before", try before.json(in: database))) }
        if let after = event.after { members.append(("after", try after.json(in: database))) }
        return .object(members)
    }

    package init(_ node: JSONNode, in database: DatabaseID) throws(FirestoreError) {
        let kind = try node.required("type")
        guard let kind = EventKind(rawValue: try kind.string()) else { throw kind.failure("this type of event is not known") }
        var params: [String: String] = [:]
        for entry in try node.optional("params")?.entries() ?? [] { params[entry.name] = try entry.node.string() }
        let before = try node.optional("before"), after = try node.optional("after")
        let event = ChangeEvent(
            id: try node.required("id").string(), kind: kind,
            time: DocumentVersion(microseconds: try TimestampValue(try node.required("time")).microsecondsSince1970),
            key: DocumentKey(trusted: try node.required("document").string()),
            before: try before.map { (node) throws(FirestoreError) in try Document(node, in: database) },
            after: try after.map { (node) throws(FirestoreError) in try Document(node, in: database) }, params: params)
        let status = try node.optional("status")?.integer()
        self.init(
            event: event, trigger: try node.required("trigger").string(), attempts: Int(try node.required("attempts").integer()),
            failure: DeliveryFailure(status: status.map { Int($0) }, answer: try node.required("answer").string()),
            died: try TimestampValue(try node.required("died")).microsecondsSince1970)
    }
}
