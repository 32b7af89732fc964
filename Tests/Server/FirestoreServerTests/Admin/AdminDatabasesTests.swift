// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreWire
import Foundation
import ServerFixtures
import TestSupport
import Testing

@testable import FirestoreServer

struct AdminDatabasesTests {
    // OT-29
    @Test(arguments: [
        ("(default)", true), ("abcd", true), ("a123", true), ("a-b-c", true), ("a--b", true), ("abc1", true), ("zzzz-9", true),
        (String(repeating: "a", count: 63), true), ("f47ac10b-58cc-4372-a567-0e02b2c3d47", true), ("g47ac10b-58cc-4372-a567-0e02b2c3d479", true),
        ("", false), ("a", false), ("abc", false), (String(repeating: "a", count: 64), false), ("1abc", false), ("-abc", false), ("abc-", false),
        ("Abcd", false), ("abCd", false), ("ab_cd", false), ("ab.cd", false), ("ab cd", false), ("ab/cd", false), ("abcd/", false), ("äbcd", false),
        ("abcdé", false), ("ab%63", false), ("..", false), ("....", false), ("(default", false), ("default)", false), ("((default))", false),
        ("(Default)", false), ("_default", false), ("abcd\\n", false), ("abcd\\u0000", false), ("f47ac10b-58cc-4372-a567-0e02b2c3d479", false),
        ("abcd ", false), (" abcd", false), ("*", false), ("-", false), ("abc\u{300}d", false),
    ])
    func `ids are those of the service`(id: String, isValid: Bool) async throws {
        let fixture = try AdminFixture()
        let code = await fixture.code(.createDatabase, #"{"parent":"projects/other","databaseId":"\#(id)"}"#)
        #expect(code == (isValid ? .ok : .invalidArgument), "\(id)")
        await fixture.stop()
    }

    @Test(arguments: [false, true])
    func `a database that was created by its use has its own times, whenever the first question is`(isOfBefore: Bool) async throws {
        let fixture = try AdminFixture()
        let begun = fixture.clock.now()
        try await fixture.server.commit(.set("c/a", [("n", .integer(1))]))
        if isOfBefore { try await fixture.server.open().facts?.setFact("hearth/created", nil) }
        fixture.clock.advance(microseconds: 600_000_000)
        func times() async throws -> (created: Int64, earliest: Int64) {
            let database = try await fixture.call(.getDatabase, #"{"name":"\#(AdminFixture.database)"}"#)
            func time(_ name: String) throws -> Int64 { try #require(TimestampValue(text: database.text(name))).microsecondsSince1970 }
            return (try time("createTime"), try time("earliestVersionTime"))
        }
        let first = try await times()
        #expect(abs(first.created - begun) < 1_000_000 && first.earliest == first.created)
        fixture.clock.advance(microseconds: 7_200_000_000)
        let later = try await times()
        #expect(later.created == first.created && later.earliest == fixture.clock.now() - 3_600_000_000)
        await fixture.stop()
    }

    @Test func `what was sent comes back, and stays after a restart`() async throws {
        let folder = try ScratchFolder()
        let first = try AdminFixture(in: folder)
        let sent = #"{"parent":"projects/library","databaseId":"books","database":{"locationId":"nam5","type":"FIRESTORE_NATIVE","deleteProtectionState":"DELETE_PROTECTION_ENABLED","cmekConfig":{}}}"#
        let made = try await first.result(.createDatabase, sent)
        #expect(made.text("locationId") == "nam5" && made.text("deleteProtectionState") == "DELETE_PROTECTION_ENABLED")
        #expect(await first.code(.createDatabase, sent) == .alreadyExists)
        await first.stop()
        let second = try AdminFixture(in: folder, clock: first.clock)
        let name = #"{"name":"projects/library/databases/books"}"#
        #expect(try await second.call(.getDatabase, name).text("uid") == made.text("uid"))
        #expect(await second.code(.deleteDatabase, name) == .failedPrecondition)
        await second.stop()
    }

    @Test(arguments: [
        (#"{"type":"DATASTORE_MODE"}"#, "database.type"), (#"{"databaseEdition":"ENTERPRISE"}"#, "database.databaseEdition"),
        (#"{"cmekConfig":{"kmsKeyName":"k"}}"#, "database.cmekConfig"), (#"{"concurrencyMode":"PESSIMISTIC"}"#, "database.concurrencyMode"),
        (#"{"mongodbCompatibleDataAccessMode":"DATA_ACCESS_MODE_ENABLED"}"#, "database.mongodbCompatibleDataAccessMode"),
        (#"{"pointInTimeRecoveryEnablement":"POINT_IN_TIME_RECOVERY_ENABLED"}"#, "database.pointInTimeRecoveryEnablement"),
    ])
    func `what is not offered is refused by its name, and nothing is created`(database: String, field: String) async throws {
        let fixture = try AdminFixture()
        do {
            _ = try await fixture.call(.createDatabase, #"{"parent":"projects/library","databaseId":"books","database":\#(database)}"#)
            Issue.record("it was created")
        } catch let error as FirestoreError {
            #expect(error.location == field)
        }
        #expect(await fixture.code(.getDatabase, #"{"name":"projects/library/databases/books"}"#) == .notFound)
        await fixture.stop()
    }

    @Test func `an etag of before a change is refused`() async throws {
        let fixture = try AdminFixture()
        let before = try await fixture.call(.getDatabase, #"{"name":"\#(AdminFixture.database)"}"#)
        let change = #"{"database":{"name":"\#(AdminFixture.database)","deleteProtectionState":2,"etag":"\#(before.text("etag"))"},"updateMask":"deleteProtectionState"}"#
        let after = try await fixture.result(.updateDatabase, change)
        #expect(after.text("etag") != before.text("etag"))
        #expect(await fixture.code(.updateDatabase, change) == .failedPrecondition)
        #expect(await fixture.code(.deleteDatabase, #"{"name":"\#(AdminFixture.database)","etag":"\#(before.text("etag"))"}"#) == .failedPrecondition)
        await fixture.stop()
    }

    @Test func `a change without effect leaves the etag`() async throws {
        let fixture = try AdminFixture()
        let before = try await fixture.call(.getDatabase, #"{"name":"\#(AdminFixture.database)"}"#)
        let after = try await fixture.result(
            .updateDatabase, #"{"database":{"name":"\#(AdminFixture.database)","locationId":"local"},"updateMask":"locationId,name"}"#)
        #expect(after.text("etag") == before.text("etag"))
        for mask in ["colour", "deleteProtectionState,colour", "fields.a"] {
            #expect(await fixture.code(.updateDatabase, #"{"database":{"name":"\#(AdminFixture.database)"},"updateMask":"\#(mask)"}"#) == .invalidArgument)
        }
        await fixture.stop()
    }

    @Test func `a deleted database ends its listeners, and comes back for a day`() async throws {
        let fixture = try AdminFixture()
        let made = try await fixture.create("books")
        let database = DatabaseID(projectID: "library", databaseID: "books")
        let service = try await fixture.server.service.databases.open(database)
        _ = try await service.commit([.set("a/b")], context: .embedded)
        let session = try service.session()
        let sink = RecordingSink()
        let handle = session.watch(.document(DocumentKey(trusted: "a/b")), from: nil, context: .embedded, sink: sink)
        let name = #"{"name":"projects/library/databases/books"}"#
        #expect(try await fixture.result(.deleteDatabase, name).text("uid") == made.text("uid"))
        // Nothing reaches the files any more.
        #expect(await code { _ = try await session.commit([.set("a/c")], context: .embedded) } == .unavailable)
        #expect(await fixture.code(.getDatabase, name) == .notFound)
        let shown = try await fixture.call(.listDatabases, #"{"parent":"projects/library","showDeleted":true}"#).elements("databases")
        #expect(shown.map { $0.text("previousId") } == ["", "books"])
        _ = try await fixture.result(.undeleteDatabase, name)
        #expect(try await fixture.call(.getDatabase, name).text("uid") == made.text("uid"))
        let again = try await fixture.server.service.databases.open(database)
        #expect(try await again.documents([DocumentKey(trusted: "a/b")], context: .embedded).documents[0] != nil)
        handle.cancel()
        await session.shutdown()
        await fixture.stop()
    }

    @Test func `after a day a deleted database is gone`() async throws {
        let fixture = try AdminFixture()
        _ = try await fixture.create("books")
        let name = #"{"name":"projects/library/databases/books"}"#
        _ = try await fixture.result(.deleteDatabase, name)
        fixture.clock.advance(microseconds: 86_400_000_000 - 1)
        fixture.server.service.databases.passRound()
        let trash = fixture.folder.path + "/hearth.deleted"
        #expect(try FileManager.default.contentsOfDirectory(atPath: trash).count == 1)
        fixture.clock.advance(microseconds: 1)
        fixture.server.service.databases.passRound()
        #expect(try FileManager.default.contentsOfDirectory(atPath: trash).isEmpty)
        #expect(await fixture.code(.undeleteDatabase, name) == .notFound)
        await fixture.stop()
    }

    @Test func `of two deleted databases of one name each comes back by its uid`() async throws {
        let fixture = try AdminFixture()
        let name = #"{"name":"projects/library/databases/books"}"#
        let first = try await fixture.create("books")
        _ = try await fixture.result(.deleteDatabase, name)
        let second = try await fixture.create("books")
        #expect(first.text("uid") != second.text("uid"))
        #expect(await fixture.code(.undeleteDatabase, name) == .alreadyExists)
        fixture.clock.advance(microseconds: 1_000_000)
        _ = try await fixture.result(.deleteDatabase, name)
        let back = try await fixture.result(.undeleteDatabase, #"{"name":"projects/library/databases/\#(first.text("uid"))"}"#)
        #expect(back.text("uid") == first.text("uid"))
        await fixture.stop()
    }

    @Test func `the operation of a deletion is found without its database`() async throws {
        let fixture = try AdminFixture()
        _ = try await fixture.create("books")
        let operation = try await fixture.call(.deleteDatabase, #"{"name":"projects/library/databases/books"}"#)
        let name = #"{"name":"\#(operation.text("name"))"}"#
        #expect(try await fixture.call(.getOperation, name).flag("done"))
        _ = try await fixture.call(.deleteOperation, name)
        #expect(await fixture.code(.getOperation, name) == .notFound)
        await fixture.stop()
    }

    @Test func `simultaneous creations make one database`() async throws {
        let fixture = try AdminFixture()
        let codes = await withTaskGroup(of: FirestoreError.Code.self) { group in
            for _ in 0..<8 { group.addTask { await fixture.code(.createDatabase, #"{"parent":"projects/library","databaseId":"books"}"#) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.count { $0 == .ok } == 1 && codes.count { $0 == .alreadyExists } == 7)
        await fixture.stop()
    }
}
