// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreWire

/// Messages of the admin API in JSON and in bytes.
struct AdminMessageTests {
    private func json(_ text: String) throws -> JSON { try JSON(text.utf8) }

    private static let operation =
        #"{"name":"o","metadata":{"@type":"type.googleapis.com/google.firestore.admin.v1.IndexOperationMetadata","state":"PROCESSING","#
        + #""progressDocuments":{"completedWork":"7"}},"done":true,"error":{"code":10,"message":"m"}}"#

    @Test(arguments: [
        (AdminMessage.database, #"{"name":"projects/p/databases/d","uid":"u","createTime":"2026-01-02T03:04:05.678Z","type":"FIRESTORE_NATIVE","versionRetentionPeriod":"3600s","tags":{"a":"b"}}"#),
        (.index, #"{"queryScope":"COLLECTION","fields":[{"fieldPath":"a","order":"ASCENDING"},{"fieldPath":"v","vectorConfig":{"dimension":3,"flat":{}}}]}"#),
        (.field, #"{"name":"f","indexConfig":{},"ttlConfig":{"state":"ACTIVE","expirationOffset":"90.500s"}}"#),
        (.updateFieldRequest, #"{"field":{"name":"f"},"updateMask":"indexConfig,ttlConfig.expirationOffset"}"#),
        (.listOperationsResponse, #"{"operations":[\#(operation)],"nextPageToken":"t"}"#),
        (.listLocationsResponse, #"{"locations":[{"name":"projects/p/locations/l","locationId":"l","displayName":"L"}]}"#),
        (.pitrSnapshot, #"{"databaseUid":"AAEC"}"#), (.empty, "{}"),
    ])
    func `a message is the same after it was bytes`(type: AdminMessage, text: String) throws {
        let bytes = try type.bytes(try json(text))
        #expect(try type.json(ByteSlice(bytes)).text() == text)
    }

    // OT-27
    @Test func `a request is read in every spelling, and unknown members are left out`() throws {
        let request = try AdminMessage.createIndexRequest.checked(
            try json(#"{"parent":"p","new_member":{"a":[1]},"index":{"query_scope":2,"api_scope":0,"multikey":null,"fields":[{"field_path":"a","order":1}]}}"#))
        #expect(request.text() == #"{"parent":"p","index":{"queryScope":"COLLECTION_GROUP","apiScope":"ANY_API","fields":[{"fieldPath":"a","order":"ASCENDING"}]}}"#)
    }

    @Test(arguments: [
        (#"{"index":7}"#, "index"), (#"{"index":{"fields":{}}}"#, "index.fields"), (#"{"index":{"fields":[{"order":"UP"}]}}"#, "index.fields[0].order"),
        (#"{"index":{"fields":[{"order":99}]}}"#, "index.fields[0].order"), (#"{"index":{"multikey":"yes"}}"#, "index.multikey"),
        (#"{"index":{"shardCount":3000000000}}"#, "index.shardCount"), (#"{"index":{"fields":[{"order":1,"arrayConfig":1}]}}"#, "index.fields[0]"),
    ])
    func `a member of another type is named`(text: String, place: String) throws {
        let error = #expect(throws: FirestoreError.self) { try AdminMessage.createIndexRequest.checked(try json(text)) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.location == place)
    }

    @Test(arguments: [("0s", 0, 0), ("604800s", 604_800, 0), ("1.5s", 1, 500_000_000), ("-1.000000001s", -1, -1)])
    func `a duration is whole seconds and a fraction`(text: String, seconds: Int64, nanoseconds: Int32) {
        #expect(AdminDuration(text: text) == AdminDuration(seconds: seconds, nanoseconds: nanoseconds))
    }

    @Test(arguments: ["", "s", "1", "1.s", ".5s", "1e3s", "1.0000000001s", "9999999999999s", "+1s", "1 s"])
    func `other texts are no durations`(text: String) { #expect(AdminDuration(text: text) == nil) }

    @Test func `the messages of every method exist`() {
        for method in AdminMethod.allCases where method != .undeleteDatabase {
            #expect(method.request.rawValue.hasSuffix(".\(method.rawValue)Request"), "\(method)")
        }
    }

    // OT-57
    @Test func `damaged bytes and texts never end the process`() throws {
        var random = SeededGenerator(seed: 27)
        let seed = try AdminMessage.updateFieldRequest.bytes(
            try json(#"{"field":{"name":"f","ttlConfig":{"expirationOffset":"9s"},"indexConfig":{"indexes":[{"fields":[{"fieldPath":"a"}]}]}},"updateMask":"a,b"}"#))
        for _ in 0..<3_000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            for type in [AdminMessage.updateFieldRequest, .operation, .database] {
                guard let read = try? type.json(ByteSlice(bytes)) else { continue }
                // What was read is a message again, or is refused with a place.
                if let checked = try? type.checked(read) { _ = try? type.bytes(checked) }
            }
            if let text = try? JSON(bytes) { _ = try? AdminMessage.database.checked(text) }
        }
    }
}
