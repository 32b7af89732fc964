// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseCore
import FirebaseFirestore
import FirestoreCore
import Foundation
import TestSupport
import Testing

/// `hearth restore`, and the Swift client with a cache on disk towards a restored server (OT-1).
@Suite(.timeLimit(.minutes(3)), .waitingForProcesses)
struct RestoreCommandTests {
    private let folder: ScratchFolder
    private var data: String { folder.file("data") }
    private var file: String { folder.file("data/demo-restore/_default.sqlite") }

    init() throws { folder = try ScratchFolder() }

    private func client(_ port: Int, _ body: (Firestore) async throws -> Void) async throws {
        let options = FirebaseOptions(googleAppID: "1:1:hearth:1", gcmSenderID: "1")
        options.projectID = "demo-restore"
        // One name for all: the cache belongs to it.
        let name = "restore-\(folder.url.lastPathComponent)"
        FirebaseApp.configure(name: name, options: options)
        let app = try #require(FirebaseApp.app(name: name))
        let db = Firestore.firestore(app: app)
        db.useEmulator(withHost: "127.0.0.1", port: port)
        let settings = db.settings
        settings.cacheDirectory = folder.url.appendingPathComponent("cache")
        settings.dispatchQueue = DispatchQueue(label: "documents")
        db.settings = settings
        do { try await body(db) } catch { Issue.record(error) }
        _ = await app.delete()
    }

    /// Returns the port.
    @discardableResult
    private func serve(_ port: Int = 0, _ body: (Int) async throws -> Void) async throws -> Int {
        let server = try HearthServerProcess("--data", data, "--port", "\(port)", "--no-console")
        let port = try server.port
        do { try await body(port) } catch { Issue.record(error, "\(server.errors)") }
        server.terminate()
        #expect(server.waitForExit() == 0)
        return port
    }

    private func listen(_ db: Firestore, until expected: [String: Int]) async {
        let seen = Mutex<[String: Int]?>(nil)
        let listener = db.collection("c").addSnapshotListener(includeMetadataChanges: true) { snapshot, _ in
            guard let snapshot, !snapshot.metadata.isFromCache else { return }
            let numbers = snapshot.documents.map { ($0.documentID, $0["n"] as? Int ?? -1) }
            seen.withLock { $0 = Dictionary(uniqueKeysWithValues: numbers) }
        }
        await eventually("\(expected)") { seen.withLock { $0 } == expected }
        listener.remove()
    }

    @Test(arguments: [["--replace"], ["--replace", "--keep-times"], nil] as [[String]?])
    func `a client with a cache on disk shows the restored state`(options: [String]?) async throws {
        let port = try await serve { port in
            try await client(port) { db in
                try await db.document("c/a").setData(["n": 1])
                await listen(db, until: ["a": 1])
            }
        }
        let copy = folder.file("copy.sqlite")
        try FileManager.default.copyItem(atPath: file, toPath: copy)
        try await serve(port) { port in
            try await client(port) { db in
                try await db.document("c/b").setData(["n": 1])
                try await db.document("c/a").setData(["n": 2])
                await listen(db, until: ["a": 2, "b": 1])
            }
        }
        if let options {
            let restore = try HearthCommand(["restore", copy, "--data", data] + options, environment: [:])
            #expect(restore.exitCode == 0, "\(restore)")
        } else {
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.copyItem(atPath: copy, toPath: file)
        }
        try await serve(port) { port in
            try await client(port) { db in
                try await db.document("c/d").setData(["n": 1])
                await listen(db, until: ["a": 1, "d": 1])
                let missing = try await db.document("c/b").getDocument(source: .server)
                #expect(!missing.exists)
            }
        }
    }

    @Test func `the command reports its steps, and rejects unsafe ones`() async throws {
        try await serve { port in
            try await client(port) { db in try await db.document("c/a").setData(["n": 1]) }
        }
        let copy = folder.file("copy.sqlite")
        try FileManager.default.copyItem(atPath: file, toPath: copy)
        var run = try HearthCommand("restore", copy, "--data", data)
        #expect(run.exitCode == 2 && run.errors.contains("hearth restore: ") && run.errors.contains("--replace"), "\(run)")
        run = try HearthCommand("restore", copy, "--data", data, "--replace")
        #expect(run.exitCode == 0 && run.output.contains("restored 1 document of database (default), project demo-restore"), "\(run)")
        #expect(run.output.contains(".replaced-") && run.output.contains("every document has the update time"))
        run = try HearthCommand("restore", copy, "--data", folder.file("new"), "--keep-times", "--project", "demo-restore")
        #expect(run.exitCode == 0 && run.output.contains("documents keep their update times"), "\(run)")
        #expect(try HearthCommand("check", folder.file("new/demo-restore/_default.sqlite")).exitCode == 0)
        run = try HearthCommand("restore", copy, "--data", data, "--replace", "--database", "other")
        #expect(run.exitCode == 2 && run.errors.contains("under that name only"), "\(run)")
        try await serve { _ in
            let run = try HearthCommand("restore", copy, "--data", data, "--replace")
            #expect(run.exitCode == 2 && run.errors.contains("served by another process"), "\(run)")
        }
    }
}
