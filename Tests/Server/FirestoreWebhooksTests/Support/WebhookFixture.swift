// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEvents

@testable import FirestoreWebhooks

extension WebhookTrigger {
    static func test(_ url: String, name: String = "t", document: String = "c/{id}") throws -> WebhookTrigger {
        let trigger = EventTrigger(owner: .webhook, name: name, pattern: try DocumentPattern(document))
        return WebhookTrigger(trigger, of: DatabaseID(projectID: "p"), to: try WebhookURL(url), source: url + name + document)
    }
}

extension ChangeEvent {
    static func test(_ path: String) -> ChangeEvent {
        func document(_ number: Int64, at time: Int64) -> Document {
            Document(
                key: DocumentKey(trusted: path), createTime: DocumentVersion(microseconds: 1_000_000),
                updateTime: DocumentVersion(microseconds: time), fields: FieldBytes(FieldMap([("n", .integer(number))])))
        }
        return ChangeEvent(
            id: "id-1", kind: .updated, time: DocumentVersion(microseconds: 1_000_002), key: DocumentKey(trusted: path),
            before: document(1, at: 1_000_000), after: document(2, at: 1_000_002), params: [:])
    }
}
