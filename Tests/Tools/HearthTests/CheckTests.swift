// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import Foundation
import TestSupport
import Testing

@Suite(.waitingForProcesses) struct CheckTests {
    @Test func `a sound database is called sound and left as it is`() async throws {
        let file = try await DatabaseFile()
        let before = try file.bytes
        let run = try HearthCommand("check", file.path)
        #expect(run.exitCode == 0, "\(run)")
        #expect(run.output.contains("database (default) of project library"))
        #expect(run.output.contains("6 documents in 4 collections"))
        #expect(run.output.contains("7 changes in the log, 6 entries in 2 indexes"))
        #expect(run.output.hasSuffix("sound\n"))
        #expect(run.errors == "")
        #expect(try file.bytes == before)
        #expect(try HearthCommand("check", "--repair", file.path).exitCode == 0)
        #expect(try file.bytes == before)
    }

    @Test func `a file of the first format is refused with the command that brings it up to date`() throws {
        let folder = try ScratchFolder()
        let fixture = repositoryRoot.appendingPathComponent("Tests/Database/FirestoreEngineTests/Fixtures/format-1.sqlite")
        let path = folder.file("old.sqlite")
        try FileManager.default.copyItem(at: fixture, to: URL(fileURLWithPath: path))
        let run = try HearthCommand("check", path)
        #expect(run.exitCode == 2)
        let command = try #require(run.errors.split(separator: ": ").last).trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(command == "hearth collections --data '\(path)'", "\(run)")
        #expect(try HearthCommand("collections", "--data", path).exitCode == 0)
        #expect(try HearthCommand("check", path).exitCode == 0)
    }

    @Test func `the file is named by --data as for other commands, and once`() async throws {
        let file = try await DatabaseFile()
        #expect(try HearthCommand("check", "--data", file.path).exitCode == 0)
        #expect(try HearthCommand("check", "--data", file.path, file.path).errors.contains("--data and FILE both name a database"))
        #expect(try HearthCommand("check").errors.contains("give the database file"))
    }

    struct Damage: Sendable, CustomStringConvertible {
        let sql: String
        let finding: String
        /// nil: beyond repair.
        let repair: String?
        var description: String { finding }
    }

    /// {b: null, a: null} is out of order, but its content is unambiguous.
    private static let unordered = "x'12070A01621202580012070A016112025800'"

    static let damages = [
        Damage(sql: "UPDATE meta SET last_commit_time = 1", finding: "later than the last commit", repair: "set the time of the last commit"),
        Damage(sql: "DELETE FROM changes", finding: "missing in the change log", repair: "emptied the change log of 0 entries"),
        Damage(sql: "UPDATE changes SET previous_fields = x'00'", finding: "a previous state is damaged", repair: "emptied the change log of 7 entries"),
        Damage(sql: "UPDATE changes SET collection = 99", finding: "there is a damaged key", repair: "emptied the change log"),
        Damage(
            sql: "UPDATE documents SET update_time = update_time - 1, create_time = create_time - 1 WHERE rowid = 1",
            finding: "it is newer than the document", repair: "emptied the change log"),
        Damage(sql: "UPDATE collections SET id = x'41'", finding: "collection books: it is listed under another id", repair: "listed 4 collections"),
        Damage(
            sql: "UPDATE documents SET fields = \(unordered) WHERE rowid = 1", finding: "document books/1: its fields are not canonical",
            repair: "wrote 1 document again"),
        Damage(
            sql: "DELETE FROM index_entries WHERE (idx, key) = (SELECT idx, min(key) FROM index_entries WHERE idx = 1)",
            finding: "index books(number): document books/2 lacks an entry", repair: "cleared 5 entries of indexes"),
        Damage(
            sql: "UPDATE index_entries SET document = 1 WHERE idx = 2", finding: "index group reviews(number): an entry of document",
            repair: "cleared 6 entries of indexes"),
        Damage(
            sql: "INSERT INTO index_entries(idx, collection, key, document) SELECT idx, collection, CAST(key || x'01' AS BLOB), document FROM index_entries WHERE idx = 1 LIMIT 1",
            finding: "index books(number): 1 entry belongs to no document", repair: "cleared 7 entries of indexes"),
        Damage(
            sql: "UPDATE index_entries SET kinds = 1 - kinds WHERE idx = 1", finding: "index books(number): an entry of document books/",
            repair: "cleared 6 entries of indexes"),
        Damage(
            sql: "INSERT INTO index_entries(idx, collection, key, document) VALUES(99, 0, x'01', 1)", finding: "indexes: 1 entry belongs to no index",
            repair: "cleared 7 entries of indexes"),
        Damage(
            sql: "UPDATE indexes SET definition = x'00' WHERE number = 1", finding: "indexes: their catalog is damaged",
            repair: "cleared 6 entries of indexes"),
        Damage(
            sql: "UPDATE indexes SET state = 9 WHERE number = 1", finding: "indexes: their catalog is damaged",
            repair: "cleared 6 entries of indexes"),
        Damage(sql: "UPDATE documents SET fields = x'12FF' WHERE rowid = 1", finding: "document books/1: its fields are damaged", repair: nil),
        Damage(sql: "UPDATE documents SET fields = 'text' WHERE rowid = 1", finding: "document books/1: its fields are damaged", repair: nil),
        Damage(sql: "UPDATE documents SET create_time = update_time + 1 WHERE rowid = 1", finding: "times are impossible", repair: nil),
        Damage(sql: "UPDATE documents SET id = x'09' WHERE rowid = 1", finding: "has a damaged key", repair: nil),
        Damage(sql: "UPDATE collections SET path = x'412F42' WHERE number = 1", finding: "it has no valid path", repair: nil),
    ]

    @Test(arguments: damages)
    func `damage is found, and repaired if the rest of the file says how`(damage: Damage) async throws {
        let file = try await DatabaseFile()
        try file.damage(damage.sql)
        let damaged = try file.bytes
        let check = try HearthCommand("check", file.path)
        #expect(check.exitCode == 1, "\(check)")
        #expect(check.output.contains(damage.finding), "\(check.output)")
        #expect(check.output.contains(damage.repair == nil ? "cannot be repaired: restore the file from a backup" : "can be repaired: "))
        #expect(check.output.contains("then run: hearth check --repair \(file.path)") || damage.repair == nil)
        #expect(try file.bytes == damaged)

        let repair = try HearthCommand("check", "--repair", file.path)
        if let done = damage.repair, done.contains("indexes") { #expect(repair.output.contains("in 2 indexes") || repair.output.contains("in 1 index\n")) }
        if let done = damage.repair {
            #expect(repair.exitCode == 0, "\(repair)")
            #expect(repair.output.contains(done), "\(repair.output)")
            #expect(repair.output.hasSuffix("sound now\n"))
            let again = try HearthCommand("check", file.path)
            #expect(again.exitCode == 0, "\(again)")
        } else {
            #expect(repair.exitCode == 1, "\(repair)")
            #expect(repair.output.contains("left"))
        }
        // Whatever the outcome, the file still opens and takes writes, and indexes are maintained.
        let engine = try file.open()
        _ = try await engine.commit([DatabaseFile.set("new/1", 1)], context: .embedded)
        if damage.repair != nil { #expect(try engine.check() == []) }
        await engine.shutdown()
    }

    @Test func `SQLite's own indexes are rebuilt from its tables`() async throws {
        let file = try await DatabaseFile()
        // Behind the back of the index a collection comes in.
        try file.damage(
            """
            PRAGMA writable_schema = ON;
            CREATE TEMP TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'collections_by_id';
            DELETE FROM sqlite_schema WHERE name = 'collections_by_id';
            PRAGMA writable_schema = RESET;
            INSERT INTO collections(path, id) VALUES(x'41', x'41');
            PRAGMA writable_schema = ON;
            INSERT INTO sqlite_schema SELECT * FROM temp.kept;
            """)
        let check = try HearthCommand("check", file.path)
        #expect(check.exitCode == 1, "\(check)")
        #expect(check.output.contains("missing from index collections_by_id"))
        let repair = try HearthCommand("check", "--repair", file.path)
        #expect(repair.exitCode == 0, "\(repair)")
        #expect(repair.output.contains("rebuilt SQLite's indexes"))
        #expect(try HearthCommand("check", file.path).exitCode == 0)
    }

    @Test func `a program gets one JSON object`() async throws {
        let file = try await DatabaseFile()
        var object = try HearthCommand("check", "--json", file.path).object()
        #expect(object["isSound"] as? Bool == true)
        #expect(object["documents"] as? Int == 6)
        #expect(object["project"] as? String == "library")
        #expect((object["findings"] as? [Any])?.count == 0)

        try file.damage("UPDATE collections SET id = x'41' WHERE number = 1")
        let run = try HearthCommand("check", "--json", file.path)
        #expect(run.exitCode == 1)
        object = try run.object()
        #expect(object["isSound"] as? Bool == false)
        let finding = try #require((object["findings"] as? [[String: Any]])?.first)
        #expect(finding["subject"] as? String == "collection")
        #expect(finding["place"] as? String == "books")
        #expect(finding["repair"] as? String == "relistCollections")

        object = try HearthCommand("check", "--json", "--repair", file.path).object()
        #expect(object["isSound"] as? Bool == true)
        // The index of the collection did not find its documents either.
        #expect(object["findingsBeforeRepair"] as? Int == 2)
        #expect((object["repaired"] as? [String])?.count == 2)
    }

    @Test func `files that cannot be opened are named, with exit code 2`() async throws {
        let file = try await DatabaseFile()
        let missing = try HearthCommand("check", file.directory + "/nothing.sqlite")
        #expect(missing.exitCode == 2)
        #expect(missing.errors.contains("nothing.sqlite: there is no such file"))
        #expect(!FileManager.default.fileExists(atPath: file.directory + "/nothing.sqlite"))
        let directory = try HearthCommand("check", file.directory)
        #expect(directory.exitCode == 2)
        #expect(directory.errors.contains("this is a directory"))
        try Data(repeating: 0x41, count: 20_000).write(to: URL(fileURLWithPath: file.directory + "/text"))
        let text = try HearthCommand("check", "--json", file.directory + "/text")
        #expect(text.exitCode == 2)
        #expect((try text.object()["error"] as? [String: Any])?["code"] as? String == "dataLoss")
        try file.damage("PRAGMA application_id = 7")
        let foreign = try HearthCommand("check", file.path)
        #expect(foreign.exitCode == 2)
        #expect(foreign.errors.contains("not a Hearth database"))
    }

    @Test func `a database in use is not checked`() async throws {
        let file = try await DatabaseFile()
        let engine = try file.open()
        let run = try HearthCommand("check", file.path)
        #expect(run.exitCode == 2)
        #expect(run.errors.contains("open in another process (pid \(getpid())); stop that process, then try again"))
        await engine.shutdown()
        #expect(try HearthCommand("check", file.path).exitCode == 0)
    }

    @Test func `commits that a killed process left in the log are checked too`() async throws {
        let file = try await DatabaseFile()
        // A copy of an open database is what a kill leaves.
        let engine = try file.open()
        _ = try await engine.commit([DatabaseFile.set("late/1", 1)], context: .embedded)
        let copy = file.directory + "/copy.sqlite"
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: file.path + suffix, toPath: copy + suffix) }
        await engine.shutdown()
        let run = try HearthCommand("check", copy)
        #expect(run.exitCode == 0, "\(run)")
        #expect(run.output.contains("7 documents in 5 collections"))
    }

    @Test func `help explains the command, and wrong usage shows the right one`() throws {
        let help = try HearthCommand("check", "--help")
        #expect(help.exitCode == 0)
        for text in ["USAGE: hearth check", "--repair", "--json", "EXIT CODES", "EXAMPLES", "must not be open"] {
            #expect(help.output.contains(text), "\(text)")
        }
        #expect(try HearthCommand("--help").output.contains("Verify a database file"))
        let usage = try HearthCommand("check")
        #expect(usage.exitCode == 2)
        #expect(usage.errors.contains("Usage: hearth check"))
        #expect(try HearthCommand("check", "--mend", "x").exitCode == 2)
        #expect(try HearthCommand("verify").exitCode == 2)
    }
}
