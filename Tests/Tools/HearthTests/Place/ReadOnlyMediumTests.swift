// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import Foundation
import TestSupport
import Testing

/// A database that can only be read.
@Suite(.waitingForProcesses) struct ReadOnlyMediumTests {
    /// Runs a script with a file system that is mounted read-only, which takes root and a mount namespace; nil where there is none.
    private func run(_ script: String, _ folder: String) throws -> HearthCommand? {
        guard try HearthCommand.shell("unshare -m true 2> /dev/null").exitCode == 0 else {
            print("skipped: no file system can be mounted here (unshare -m); the tests of FirestoreStorage open such files")
            return nil
        }
        let mounted = "cd \"$1\" && mount --bind medium medium && mount -o remount,ro,bind medium && ! touch medium/x 2> /dev/null || exit 99\n"
        return try HearthCommand.shell("exec unshare -m bash -c \"$2\" \"$0\" \"$1\"", arguments: [folder, mounted + script])
    }

    @Test func `a database on a read-only medium is read, exported and checked`() throws {
        let folder = try ScratchFolder()
        let file = try folder.file("medium/keep", "").replacing("keep", with: "d%20 é.sqlite")
        for number in 1...3 { #expect(try HearthCommand("set", "c/\(number)", "{\"n\": \(number)}", "--data", file).exitCode == 0) }
        for suffix in [".lock", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) }
        let script = """
            export HEARTH_DATABASE="medium/d%20 é.sqlite"
            "$0" get c/1 -o pretty | head -2; "$0" query c --where 'n > 1' --select n | wc -l; "$0" count c; "$0" collections; "$0" explain c | head -1
            "$0" watch c/1 --once | wc -l; "$0" export --quiet - | wc -l; "$0" check "$HEARTH_DATABASE" | tail -1
            "$0" set c/4 '{}'; echo $?; "$0" update c/1 n=4; echo $?; "$0" import --quiet - <<< '{"path": "c/5", "fields": {}}'; echo $?
            "$0" check --repair "$HEARTH_DATABASE" | tail -1
            ls medium
            """
        guard let run = try run(script, folder.path) else { return }
        #expect(run.output == "c/1\n  n: 1\n2\n3\nc\nscan, filter, in this order\n1\n3\nsound\n2\n2\n2\nsound\nd%20 é.sqlite\nkeep\n", "\(run)")
        #expect(run.errors.split(separator: "\n").count >= 3)
        for line in run.errors.split(separator: "\n") where line.hasPrefix("hearth") { #expect(line.contains("must be writable (Read-only file system)"), "\(line)") }
    }

    @Test func `an empty log is ignored, one with commits is read or rejected`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.file("medium/keep", "").replacing("keep", with: "d.sqlite")
        #expect(try HearthCommand("set", "c/1", "{}", "--data", file).exitCode == 0)
        // A process that was killed right after it had copied its log leaves such a file.
        #expect(!FileManager.default.fileExists(atPath: file + "-wal"))
        try Data().write(to: URL(fileURLWithPath: file + "-wal"))
        let empty = try run("\"$0\" count c --data medium/d.sqlite; ls -s medium/d.sqlite-wal | cut -c1", folder.path)
        if let empty { #expect(empty.output == "1\n0\n", "\(empty)") }
        // A copy of the files while the database is open has a log that is full.
        let engine = try Engine.open(EngineConfiguration(location: .file(path: file), databaseID: DatabaseID(projectID: "demo-hearth")))
        _ = try await engine.commit([Write(key: DocumentKey(trusted: "c/2"), operation: .set(FieldBytes(FieldMap([]))))], context: .embedded)
        for suffix in ["", "-wal", "-shm"] { try FileManager.default.copyItem(atPath: file + suffix, toPath: folder.file("medium/copy.sqlite") + suffix) }
        await engine.shutdown()
        if let full = try run("\"$0\" count c --data medium/copy.sqlite", folder.path) { #expect(full.output == "2\n", "\(full)") }
        try FileManager.default.removeItem(atPath: folder.file("medium/copy.sqlite-shm"))
        guard let torn = try run("\"$0\" count c --data medium/copy.sqlite; echo $?; \"$0\" check medium/copy.sqlite; echo $?", folder.path) else { return }
        #expect(torn.output == "2\n2\n", "\(torn)")
        for line in torn.errors.split(separator: "\n") { #expect(line.contains("ends in -wal") && line.contains("copy both files"), "\(line)") }
        // Where it can be written the log is read.
        #expect(try HearthCommand("count", "c", "--data", folder.file("medium/copy.sqlite")).output == "2\n")
    }

    @Test func `a database in use stays closed to readers without permission to write`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.file("medium/keep", "").replacing("keep", with: "d.sqlite")
        let engine = try Engine.open(EngineConfiguration(location: .file(path: file), databaseID: DatabaseID(projectID: "p")))
        if let run = try run("\"$0\" count c --data medium/d.sqlite; echo $?", folder.path) {
            #expect(run.output == "2\n" && run.errors.contains("open in another process (pid \(getpid()))"), "\(run)")
        }
        await engine.shutdown()
    }

    @Test func `a directory without permission to write is such a medium`() throws {
        guard getuid() != 0 else {
            print("skipped: permissions do not bind root; a read-only file system does, in the tests beside this one")
            return
        }
        let folder = try ScratchFolder()
        let file = folder.file("d.sqlite")
        #expect(try HearthCommand("set", "c/1", "{}", "--data", file).exitCode == 0)
        for suffix in [".lock", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) }
        #expect(chmod(folder.path, 0o555) == 0)
        defer { chmod(folder.path, 0o755) }
        #expect(try HearthCommand("count", "c", "--data", file).output == "1\n")
    }
}
