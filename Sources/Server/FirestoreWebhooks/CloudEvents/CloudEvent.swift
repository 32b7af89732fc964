// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEvents
import FirestoreWire

/// An event in the binary mode of CloudEvents over HTTP: attributes in headers, the data as the body. Field by field like those of Cloud
/// Firestore.
struct CloudEvent {
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    /// Longer bodies are sent without the values of the documents, and say so.
    static let maximumBody = 10 << 20
    private static let schema =
        "https://github.com/googleapis/google-cloudevents/blob/main/proto/google/events/cloud/firestore/v1/data.proto"
    /// Where no cloud is, as the emulator says.
    private static let location = "us-central1"

    init(_ event: ChangeEvent, of webhook: WebhookTrigger, maximumBody: Int = Self.maximumBody) throws(FirestoreError) {
        let database = webhook.database
        var body = try Self.body(event.before, event.after, webhook)
        let isShortened = body.count > maximumBody
        if isShortened { body = try Self.body(event.before?.withoutFields, event.after?.withoutFields, webhook) }
        let contentType = webhook.format == .protobuf ? "application/protobuf" : "application/json"
        let type = webhook.isWritten ? "written" : event.kind.rawValue
        let path = Self.headerText(event.key.path)
        var headers = [
            ("content-type", contentType), ("ce-specversion", "1.0"), ("ce-type", "google.cloud.firestore.document.v1.\(type)"),
            ("ce-source", "//firestore.googleapis.com/projects/\(Self.headerText(database.projectID))/databases/\(database.databaseID)"),
            ("ce-id", event.id), ("ce-time", event.time.timestamp.text), ("ce-subject", "documents/" + path),
            ("ce-datacontenttype", contentType), ("ce-dataschema", Self.schema), ("ce-location", Self.location),
            ("ce-project", Self.headerText(database.projectID)), ("ce-database", database.databaseID), ("ce-namespace", "(default)"),
            ("ce-document", path),
        ]
        if isShortened { headers.append(("hearth-values-omitted", "true")) }
        self.headers = headers
        self.body = body
    }

    private static func body(_ before: Document?, _ after: Document?, _ webhook: WebhookTrigger) throws(FirestoreError) -> [UInt8] {
        let data = DocumentEventData(database: webhook.database, before: before, after: after)
        return webhook.format == .protobuf ? data.encoded() : try data.json().bytes()
    }

    /// A path as it is, in UTF-8, as the emulator sends it. Control characters, which no header may contain, are percent-encoded, with the
    /// percent signs of such a path, and so are spaces at its ends.
    static func headerText(_ path: String) -> String {
        func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }
        let bytes = Array(path.utf8)
        let hasEdge = bytes.first == 0x20 || bytes.last == 0x20
        guard hasEdge || bytes.contains(where: isControl) else { return path }
        var text: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            let isEdge = byte == 0x20 && (index == 0 || index == bytes.count - 1)
            guard isControl(byte) || isEdge || byte == UInt8(ascii: "%") else {
                text.append(byte)
                continue
            }
            let digits = Array("0123456789ABCDEF".utf8)
            text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension Document {
    fileprivate var withoutFields: Document { Document(key: key, createTime: createTime, updateTime: updateTime, fields: .empty) }
}
