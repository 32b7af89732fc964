// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

/// `hearth backup`, of files, data directories and servers.
@Suite(.waitingForProcesses) struct BackupCommandTests {
    private let folder: ScratchFolder
    private var target: String { folder.file("backup.sqlite") }

    init() throws { folder = try ScratchFolder() }

    private func check(_ file: String, documents: Int) throws {
        let check = try HearthCommand("check", file)
        #expect(check.exitCode == 0 && check.output.contains("\(documents) document"), "\(check.output)\(check.errors)")
        #expect(!FileManager.default.fileExists(atPath: file + "-wal") && !FileManager.default.fileExists(atPath: file + "-shm"))
    }

    @Test func `a file is backed up, and an existing one replaced only if that is wanted`() async throws {
        let database = try await DatabaseFile()
        let run = try HearthCommand("backup", "--data", database.path, target)
        #expect(run.exitCode == 0 && run.output.isEmpty, "\(run.errors)")
        #expect(run.errors.wholeMatch(of: /backed up 6 documents, as of \d{4}-\d\d-\d\dT[\d:.]+Z \([\d.]+ kB\)\n/) != nil, "\(run.errors)")
        #expect(folder.names == ["backup.sqlite"])
        let again = try HearthCommand("backup", "--data", database.path, target)
        #expect(again.exitCode == 2 && again.errors.contains("use --overwrite"))
        let quiet = try HearthCommand("backup", "--data", database.path, target, "--overwrite", "--quiet")
        #expect(quiet.exitCode == 0 && quiet.errors.isEmpty)
        try check(target, documents: 6)
    }

    @Test func `a running server is backed up over its port, and its directory is not touched by others`() async throws {
        let data = folder.file("data")
        let server = try HearthServerProcess("--data", data, "--port", "0")
        defer { server.kill() }
        let place = ["--server", "127.0.0.1:\(try server.port)", "--project", "library"]
        for number in 1...3 { #expect(try HearthCommand(["set"] + place + ["books/\(number)", "{}"], environment: [:]).exitCode == 0) }
        let run = try HearthCommand(["backup", target] + place, environment: [:])
        #expect(run.exitCode == 0 && run.errors.hasPrefix("backed up 3 documents, as of "), "\(run.errors)")
        for arguments in [["--data", data, "--project", "library"], ["--data", data + "/library/_default.sqlite"]] {
            let local = try HearthCommand(["backup", folder.file("other.sqlite")] + arguments, environment: [:])
            #expect(local.exitCode == 2 && local.errors.contains("another process (pid \(server.processID))"), "\(local.errors)")
            #expect(local.errors.contains("use --server HOST:PORT"))
        }
        let none = try HearthCommand(["backup", folder.file("other.sqlite"), "--database", "none-there"] + place, environment: [:])
        #expect(none.exitCode == 2 && none.errors.contains("does not exist"), "\(none.errors)")
        server.terminate()
        #expect(server.waitForExit() == 0)
        // Nothing but databases and locks stays after a clean stop.
        #expect(try FileManager.default.subpathsOfDirectory(atPath: data).filter { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") } == [])
        try check(target, documents: 3)
        let stopped = try HearthCommand("backup", "--data", data, "--project", "library", folder.file("other.sqlite"))
        #expect(stopped.exitCode == 0, "\(stopped.errors)")
        try check(folder.file("other.sqlite"), documents: 3)
        let wrong = try HearthCommand("backup", "--data", data, "--project", "none", folder.file("third.sqlite"))
        #expect(wrong.exitCode == 2 && wrong.errors.contains("has no database (default) of the project none"), "\(wrong.errors)")
        #expect(folder.names == ["backup.sqlite", "backup.sqlite.lock", "data", "other.sqlite", "other.sqlite.lock"])
    }

    @Test func `in production a backup needs an administrator key`() throws {
        let (key, rules) = (folder.file("admin.key"), try folder.file("firestore.rules", Self.rules))
        #expect(try HearthCommand("admin-key", key).exitCode == 0)
        let server = try HearthServerProcess("--in-memory", "--port", "0", "--rules", rules, "--admin-key-file", key)
        defer { server.kill() }
        let place = ["--server", "127.0.0.1:\(try server.port)", "--project", "library"]
        #expect(try HearthCommand(["set", "books/1", "{}", "--token-file", key] + place, environment: [:]).exitCode == 0)
        let refused = try HearthCommand(["backup", target] + place, environment: [:])
        #expect(refused.exitCode == 2 && !refused.errors.isEmpty && folder.names.filter { $0.hasPrefix("backup") }.isEmpty, "\(refused.errors)")
        let run = try HearthCommand(["backup", target, "--token-file", key] + place, environment: [:])
        #expect(run.exitCode == 0, "\(run.errors)")
        try check(target, documents: 1)
    }

    private static let rules = """
        rules_version = '2';
        service cloud.firestore { match /databases/{d}/documents { match /{any=**} { allow read, write: if true; } } }
        """

    @Test func `locations that cannot be backed up are reported`() throws {
        let cloud = try HearthCommand("backup", "--cloud", "p", target)
        #expect(cloud.exitCode == 2 && cloud.errors.contains("use `hearth export`"))
        let missing = try HearthCommand("backup", "--data", folder.file("none.sqlite"), target)
        #expect(missing.exitCode == 2 && missing.errors.contains("there is no such file"))
        #expect(folder.names.isEmpty)
    }
}
