// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreEvents

/// A trigger whose receiver is a URL.
package struct WebhookTrigger: Sendable {
    package enum Format: String, Sendable, CaseIterable {
        case protobuf = "cloudevents-protobuf"
        case json = "cloudevents-json"
    }

    package var trigger: EventTrigger
    package var database: DatabaseID
    package var url: WebhookURL
    package var format = Format.protobuf
    /// Whether all changes are sent as events of the type `written`.
    package var isWritten = false
    /// The keys that bodies are signed with; none for bodies that are not signed.
    package var secrets: [WebhookSecret] = []
    /// How long a receiver may take to answer.
    package var timeout = Duration.seconds(30)
    /// As it stands in the file, to recognize a trigger that has not changed.
    package var source: String

    package init(_ trigger: EventTrigger, of database: DatabaseID, to url: WebhookURL, source: String = "") {
        self.trigger = trigger
        self.database = database
        self.url = url
        self.source = source
    }

    /// Whether both deliver alike.
    package func isSame(as other: WebhookTrigger) -> Bool {
        source == other.source && database == other.database && secrets == other.secrets
    }
}
