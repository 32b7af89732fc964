// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEvents
import FirestoreWire
import Testing

@testable import FirestoreWebhooks

@Suite struct CloudEventTests {
    private static func trigger(_ format: WebhookTrigger.Format = .protobuf, isWritten: Bool = false) throws -> WebhookTrigger {
        var webhook = try WebhookTrigger.test("http://127.0.0.1:1/")
        webhook.format = format
        webhook.isWritten = isWritten
        return webhook
    }

    // OT-41: the list of the emulator's headers; `Tests/Clients/events` compares with the emulator itself.
    @Test("An event has the attributes of Cloud Firestore's")
    func attributes() throws {
        let event = try CloudEvent(.test("orders/1"), of: try Self.trigger(isWritten: true))
        let headers = Dictionary(uniqueKeysWithValues: event.headers.map { ($0.name, $0.value) })
        #expect(
            headers == [
                "content-type": "application/protobuf", "ce-specversion": "1.0", "ce-type": "google.cloud.firestore.document.v1.written",
                "ce-source": "//firestore.googleapis.com/projects/p/databases/(default)", "ce-id": "id-1",
                "ce-time": "1970-01-01T00:00:01.000002Z", "ce-subject": "documents/orders/1",
                "ce-datacontenttype": "application/protobuf",
                "ce-dataschema":
                    "https://github.com/googleapis/google-cloudevents/blob/main/proto/google/events/cloud/firestore/v1/data.proto",
                "ce-location": "us-central1", "ce-project": "p", "ce-database": "(default)", "ce-namespace": "(default)",
                "ce-document": "orders/1",
            ])
    }

    @Test("The type says what happened, unless the trigger is for everything that is written")
    func types() throws {
        let event = try CloudEvent(.test("orders/1"), of: try Self.trigger())
        #expect(event.headers.first { $0.name == "ce-type" }?.value == "google.cloud.firestore.document.v1.updated")
    }

    @Test("The protobuf body has the documents in Firestore's form, and an empty update mask")
    func body() throws {
        let event = try CloudEvent(.test("c/1"), of: try Self.trigger())
        var fields: [Int: Int] = [:]
        var offset = 0
        while offset < event.body.count {
            let tag = Int(event.body[offset])
            #expect(tag & 7 == 2)
            fields[tag >> 3] = Int(event.body[offset + 1])
            offset += 2 + Int(event.body[offset + 1])
        }
        #expect(fields.keys.sorted() == [1, 2, 3] && fields[3] == 0)
    }

    @Test("The JSON body has the documents as REST has them")
    func json() throws {
        let event = try CloudEvent(.test("c/1"), of: try Self.trigger(.json))
        let json = try JSON(event.body)
        let document = try Document(JSONNode(json).required("value"), in: DatabaseID(projectID: "p"))
        #expect(document == ChangeEvent.test("c/1").after)
        #expect(try JSONNode(json).required("oldValue").required("name").string() == "projects/p/databases/(default)/documents/c/1")
        #expect(json["updateMask"]?.text() == "{}")
        #expect(event.headers.first { $0.name == "content-type" }?.value == "application/json")
    }

    // OP-86
    @Test("A body that is too long is sent without values, and says so")
    func shortened() throws {
        let event = try CloudEvent(.test("c/1"), of: try Self.trigger(.json), maximumBody: 100)
        #expect(event.headers.contains { $0.name == "hearth-values-omitted" && $0.value == "true" })
        #expect(try JSON(event.body)["value"]?["fields"] == nil)
    }

    @Test(
        "A path is sent as it is, but no control characters",
        arguments: [
            ("c/größe", "c/größe"), ("c/50%", "c/50%"), ("c/a b", "c/a b"), ("c/a\r\nx: y", "c/a%0D%0Ax: y"), ("c/\u{7F}5%", "c/%7F5%25"),
            ("c/a ", "c/a%20"),
        ])
    func paths(_ path: String, _ expected: String) {
        #expect(CloudEvent.headerText(path) == expected)
    }
}
