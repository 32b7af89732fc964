// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreSync
import Foundation
import GRDBSQLite
import TestSupport
import Testing

@testable import hearth

/// `hearth cache`: what is in the file of a cache, and what can be taken out of it.
@Suite(.waitingForProcesses) struct CacheCommandTests {
    /// A cache with a document that the server has confirmed, two users' pending writes and a failed one.
    private final class Cache {
        let folder: ScratchFolder
        var path: String { folder.file("cache.sqlite") }

        init() throws {
            folder = try ScratchFolder()
            let store = try open(user: SyncUser(uid: "ada"))
            let first = try store.write([[.set("trails/ridge", ("name", .string("Ridge Walk")), ("km", .double(11.5)))]])[0].batch
            let time = DocumentVersion(microseconds: 1_700_000_000_000_000)
            _ = try store.acknowledge([AnsweredBatch(first, at: time, results: [WriteResult(updateTime: time)])])
            let rejected = try store.write([[.set("locked/gate", ("open", .boolean(true)))]])[0].batch
            _ = try store.reject(rejected, because: FirestoreError(.permissionDenied, "not allowed"))
            _ = try store.changeUser(to: .unauthenticated)
            _ = try store.write([[.delete("trails/lake")]])
            _ = try store.changeUser(to: SyncUser(uid: "ada"))
            let calls = try store.write([
                [
                    Write(
                        key: DocumentKey(trusted: "trails/ridge"),
                        operation: .patch(FieldBytes(FieldMap([("open", .boolean(true))])), mask: [FieldPathSegments("km"), FieldPathSegments("open")]),
                        precondition: .exists(true),
                        transforms: [
                            FieldTransform(path: FieldPathSegments("seen"), kind: .increment(.integer(2))),
                            FieldTransform(path: FieldPathSegments("at"), kind: .serverTimestamp),
                            FieldTransform(path: FieldPathSegments("tags"), kind: .appendMissingElements([.string("a")])),
                        ]), .set("trails/new", ("$note", .bytes([1, 2]))),
                ]
            ])
            try store.noteAttempt(calls[0].batch.id, error: FirestoreError(.unavailable, "no network"))
            try store.close()
        }

        func open(user: SyncUser) throws -> LocalStore {
            try LocalStore.open(
                LocalStore.Configuration(
                    location: .file(path: path), databaseID: DatabaseID(projectID: "library"), server: "localhost_8080", user: user,
                    indexPolicy: .manual))
        }

        var bytes: Data { get throws { try Data(contentsOf: URL(fileURLWithPath: path)) } }

        func damage(_ sql: String) throws {
            var connection: OpaquePointer?
            try #require(sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, CheckedFiles.name) == SQLITE_OK)
            defer { sqlite3_close(connection) }
            try #require(sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK, "\(sql)")
            try #require(sqlite3_exec(connection, "PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil) == SQLITE_OK)
        }
    }

    @Test func `usage reports stored documents by user, and queued writes`() throws {
        let cache = try Cache()
        let before = try cache.bytes
        let run = try HearthCommand("cache", "usage", cache.path)
        #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run)")
        for part in [
            "cache of database (default) of project library on localhost_8080", "version 2, last used by user ada", "in 2 documents",
            "2 pending calls", "1 failed call,", "collection  documents", "trails",
        ] { #expect(run.output.contains(part), "\(part): \(run.output)") }
        let object = try HearthCommand("cache", "usage", "--json", cache.path).object()
        #expect(object["server"] as? String == "localhost_8080" && object["user"] as? String == "ada")
        #expect(object["documents"] as? Int == 2 && object["pending"] as? Int == 2 && object["failed"] as? Int == 1)
        let collections = try #require(object["collections"] as? [[String: Any]])
        #expect(collections.map { $0["path"] as? String } == ["trails"])
        #expect(try cache.bytes == before)
    }

    @Test func `the queue of all users is printed, oldest first`() throws {
        let cache = try Cache()
        let run = try HearthCommand("cache", "queue", cache.path)
        #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run)")
        let lines = run.output.split(separator: "\n").map { $0.replacing(/\d+ seconds? ago/, with: "AGE") }
        #expect(
            lines == [
                "2 pending calls", "  3  made AGE, signed out", "     delete trails/lake",
                "  4  made AGE, user ada, 1 failed attempt, unavailable: no network",
                #"     update trails/ridge  {"open": true}, without km, seen + 2, at = server time, tags with ["a"]"#,
                #"     set trails/new  {"$note": {"$bytes": "AQI="}}"#, "1 failed call",
                "  2  rejected AGE, user ada, permissionDenied: not allowed", #"     set locked/gate  {"open": true}"#,
            ], "\(run.output)")
        let failed = try HearthCommand("cache", "queue", "--failed", cache.path)
        #expect(failed.output.hasPrefix("1 failed call\n"))
    }

    @Test func `an export has every value, and plain sets can be imported`() throws {
        let cache = try Cache()
        let run = try HearthCommand("cache", "export", cache.path)
        #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run)")
        let lines = try run.output.split(separator: "\n").map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
        #expect(lines.map { $0["path"] as? String } == ["locked/gate", "trails/lake", "trails/ridge", "trails/new"])
        #expect(lines.map { $0["operation"] as? String } == ["set", "delete", "update", "set"])
        #expect(lines.map { $0["state"] as? String } == ["failed", "pending", "pending", "pending"])
        #expect(lines[0]["error"] as? String == "permissionDenied: not allowed" && lines[1]["user"] == nil && lines[2]["user"] as? String == "ada")
        #expect(lines[2]["mask"] as? [String] == ["km", "open"] && lines[2]["exists"] as? Bool == true && lines[2]["attempts"] as? Int == 1)
        let transforms = try #require(lines[2]["transforms"] as? [[String: Any]])
        #expect(transforms.map { $0["field"] as? String } == ["seen", "at", "tags"])
        #expect(transforms[0]["increment"] as? Int == 2 && transforms[1]["serverTimestamp"] as? Bool == true)
        #expect(transforms[2]["append"] as? [String] == ["a"])
        #expect(lines[2]["id"] as? String == lines[3]["id"] as? String)
        #expect(lines[0]["id"] as? String != lines[3]["id"] as? String)

        let set = #"{"path":"trails/new","fields":{"$note":{"$bytes":"AQI="}}}"#
        #expect(run.output.contains(#""path":"trails/new","operation":"set","fields":{"$note":{"$bytes":"AQI="}}"#))
        let database = cache.folder.file("copy.sqlite")
        #expect(try HearthCommand(["import", "--data", database, "-"], environment: [:], input: set + "\n").exitCode == 0)
        #expect(try HearthCommand("get", "--data", database, "trails/new").output.contains("AQI="))
    }

    @Test func `a sound cache is called sound, a damaged one not`() throws {
        let cache = try Cache()
        let run = try HearthCommand("cache", "check", cache.path)
        #expect(run.exitCode == 0 && run.output == "sound\n", "\(run)")
        try cache.damage("UPDATE bases SET fields = NULL WHERE batch IS NOT NULL")
        try cache.damage("DELETE FROM batch_documents WHERE batch = 4")
        let damaged = try HearthCommand("cache", "check", cache.path)
        #expect(damaged.exitCode == 1 && damaged.output.contains("trails/ridge") && damaged.errors.isEmpty, "\(damaged)")
    }

    @Test func `a pending write that is dropped leaves the local view`() throws {
        let cache = try Cache()
        let asked = try HearthCommand("cache", "drop", cache.path, "4")
        #expect(asked.exitCode == 2 && asked.errors.contains("add --yes"), "\(asked)")
        let unknown = try HearthCommand("cache", "drop", "--yes", cache.path, "4", "99")
        #expect(unknown.exitCode == 2 && unknown.errors.hasPrefix("hearth cache drop: 99: there is no such call in the queue"), "\(unknown)")
        #expect(try HearthCommand("cache", "queue", cache.path).output.hasPrefix("2 pending calls"))
        let run = try HearthCommand("cache", "drop", "--yes", cache.path, "4", "3")
        #expect(run.exitCode == 0 && run.output == "4 dropped, 2 writes\n3 dropped, 1 write\n", "\(run)")
        #expect(try HearthCommand("cache", "queue", cache.path).output.hasPrefix("no pending writes\n1 failed call"))
        #expect(try HearthCommand("cache", "check", cache.path).exitCode == 0)
        let store = try cache.open(user: SyncUser(uid: "ada"))
        let (ridge, new) = (DocumentKey(trusted: "trails/ridge"), DocumentKey(trusted: "trails/new"))
        let documents = try store.documents([ridge, new])
        guard case .found(let document) = documents[0].content else {
            Issue.record("\(documents)")
            return
        }
        #expect(document.fields.view[FieldPathSegments("open")] == nil && documents[0].state == .hasCommittedMutations)
        #expect(documents[1].content == .none)
        try store.close()
    }

    @Test func `a write that the server may have is dropped if that is asked for`() throws {
        let cache = try Cache()
        let store = try cache.open(user: SyncUser(uid: "ada"))
        try store.setStreamToken(ByteSlice([1]))
        try store.close()
        let refused = try HearthCommand("cache", "drop", "--yes", cache.path, "3", "4")
        #expect(refused.exitCode == 2 && refused.errors.hasPrefix("hearth cache drop: 4: the server may have it already"), "\(refused)")
        #expect(try HearthCommand("cache", "queue", cache.path).output.hasPrefix("2 pending calls"))
        // Of another user, with another stream.
        #expect(try HearthCommand("cache", "drop", "--yes", cache.path, "3").output == "3 dropped, 1 write\n")
        #expect(try HearthCommand("cache", "drop", "--yes", "--force", cache.path, "4").output == "4 dropped, 2 writes\n")
        #expect(try HearthCommand("cache", "check", cache.path).exitCode == 0)
    }

    @Test func `failed writes are dropped by their receipts, or all together`() throws {
        let cache = try Cache()
        let line = try HearthCommand("cache", "export", cache.path).output.split(separator: "\n")[0]
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let receipt = try #require(object["id"] as? String)
        let other = try HearthCommand("cache", "drop", "--yes", cache.path, "1-2")
        #expect(other.exitCode == 2 && other.errors.contains("of another cache"), "\(other)")
        #expect(try HearthCommand("cache", "drop", "-y", cache.path, receipt).output == "2 dropped, 1 write\n")
        #expect(try HearthCommand("cache", "drop", "-y", cache.path, "--all-failed").output == "no failed writes\n")
        let second = try Cache()
        #expect(try HearthCommand("cache", "drop", "-y", second.path, "--all-failed").output == "2 dropped, 1 write\n")
        #expect(try HearthCommand("cache", "queue", second.path).output.hasSuffix("no failed writes\n"))
        #expect(try HearthCommand("cache", "drop", second.path).exitCode == 2)
    }

    @Test(arguments: ["usage", "queue", "check", "export", "drop"])
    func `a cache in use, another file and a newer cache are rejected and left as they are`(command: String) async throws {
        let cache = try Cache()
        let rest = command == "drop" ? ["--yes", "--all-failed"] : []
        func run(_ file: String) throws -> HearthCommand { try HearthCommand(["cache", command, file] + rest, environment: [:]) }
        let store = try cache.open(user: SyncUser(uid: "ada"))
        let busy = try run(cache.path)
        #expect(busy.exitCode == 2 && busy.errors.contains("pid \(ProcessInfo.processInfo.processIdentifier)"), "\(busy)")
        try store.close()

        let database = try await DatabaseFile()
        let other = try run(database.path)
        #expect(other.exitCode == 2 && other.errors.contains("is a Hearth database, not a cache"), "\(other)")
        let text = try cache.folder.file("notes.txt", String(repeating: "not SQLite ", count: 100))
        #expect(try run(text).exitCode == 2)
        let missing = try run(cache.folder.file("missing.sqlite"))
        #expect(missing.exitCode == 2 && missing.errors.contains("there is no such file"), "\(missing)")
        #expect(!FileManager.default.fileExists(atPath: cache.folder.file("missing.sqlite")))

        try cache.damage("PRAGMA user_version = 99")
        let before = try cache.bytes
        let newer = try run(cache.path)
        #expect(newer.exitCode == 2 && newer.errors.contains("use a newer Hearth"), "\(newer)")
        #expect(try cache.bytes == before)
    }

    @Test func `sizes and times are in words`() {
        #expect([0, 1, 1_023, 1_024, 1_536, 1_048_575, 1_048_576, 5 << 30].map { CacheText.bytes($0) } == [
            "0 bytes", "1 byte", "1023 bytes", "1.0 KiB", "1.5 KiB", "1.0 MiB", "1.0 MiB", "5.0 GiB",
        ])
        let hour: Int64 = 3_600_000_000
        #expect([-1, 0, 1_500_000, hour / 2, hour, 49 * hour].map { CacheText.age(from: 0, to: $0) } == [
            "0 seconds", "0 seconds", "1 second", "30 minutes", "1 hour", "2 days",
        ])
    }
}
