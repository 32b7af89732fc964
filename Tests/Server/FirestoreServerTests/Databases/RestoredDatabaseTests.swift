// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreRPC
import FirestoreWire
import Foundation
import ServerFixtures
import TestSupport
import Testing

@testable import FirestoreServer

/// What clients meet whose database was restored from a copy (OT-1, OT-2, OT-3).
@Suite struct RestoredDatabaseTests {
    private static let database = ServerFixture.database
    private static let deletion = Write(key: DocumentKey(trusted: "c/b0"), operation: .delete)
    private let folder: ScratchFolder
    private var opening: DatabaseOpening { DatabaseOpening(storage: .directory(folder.file("data")), clock: clock) }
    private var file: String { folder.file("data/" + DatabaseRules.relativePath(of: Self.database)) }
    private let clock = ManualClock(microseconds: 1_700_000_000_000_000)

    init() throws { folder = try ScratchFolder() }

    enum Way: CaseIterable { case copyOverFile, freshDirectory, command, commandWithTimes }

    /// Runs a server until `body` is done.
    private func serve<R>(_ body: (ServerFixture) async throws -> R) async throws -> R {
        clock.advance(microseconds: 1_000_000)
        let server = ServerFixture(opening)
        let result = try await body(server)
        await server.service.databases.close()
        return result
    }

    private func restore(_ copy: String, _ way: Way) throws {
        switch way {
        case .copyOverFile:
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.copyItem(atPath: copy, toPath: file)
        case .freshDirectory:
            try FileManager.default.removeItem(atPath: folder.file("data"))
            try FileManager.default.createDirectory(
                atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: copy, toPath: file)
        case .command, .commandWithTimes:
            _ = try DatabaseRestore.run(copy, into: folder.file("data"), project: nil, database: nil) { restore in
                restore.replaces = true
                restore.keepsTimes = way == .commandWithTimes
                restore.clock = clock
            }
        }
    }

    /// The frames of a new target until its first snapshot.
    private func listen(_ server: ServerFixture, _ start: ListenTargetRequest.Start, expects: Int? = nil) async throws -> [ListenResponse] {
        let (call, handler) = try server.open(.listen)
        let request = ListenTargetRequest(target: .success(.query(.all("c"))), targetID: 2, start: start, expectedCount: expects)
        handler.receive(ByteSlice(ListenRequest(database: Self.database, change: .add(request)).encoded()))
        var frames: [ListenResponse] = []
        repeat {
            await call.until(messages: frames.count + 1)
            guard call.messages.count > frames.count else { break }
            frames = try call.messages.map { try ListenResponse(decoding: $0) }
        } while !frames.contains { if case .targetChange(let change) = $0 { change.targets.isEmpty } else { false } }
        handler.ended(nil)
        return frames
    }

    private func lines(_ frames: [ListenResponse]) -> [String] {
        frames.compactMap { frame in
            switch frame {
            case .targetChange(let change): change.targets.isEmpty ? nil : "\(change.kind)"
            case .documentChange(_, let document, let targets, _): "\(document.key.id)=\(document["n"] ?? .null)" + (targets.isEmpty ? " out" : "")
            case .documentDelete(_, let key, _, _): "-\(key.id)"
            case .documentRemove(_, let key, _, _): "~\(key.id)"
            case .filter(let filter): "filter \(filter.count)"
            }
        }
    }

    private func token(_ frames: [ListenResponse]) throws -> ByteSlice {
        guard case .targetChange(let change)? = frames.last else { throw FirestoreError(.internal, "no snapshot") }
        return change.resumeToken
    }

    private func list(_ server: ServerFixture, page token: String = "") async throws(RPCStatus) -> String {
        var request = ListDocumentsRequest(database: Self.database, parent: nil, collectionID: "c")
        request.pageSize = 1
        request.pageToken = token
        return try await server.unary(.listDocuments, request, as: ListDocumentsResponse.self).nextPageToken
    }

    private func openWriteStream(
        _ server: ServerFixture, _ request: WriteRequest
    ) async throws -> (FakeStreamCall, any RPCStreamHandler, WriteStreamResumption) {
        let (call, handler) = try server.open(.write)
        handler.receive(ByteSlice(request.encoded()))
        await call.until(messages: 1)
        guard let first = call.messages.first else {
            _ = try await call.outcome()
            throw FirestoreError(.internal, "no answer")
        }
        return (call, handler, try #require(WriteStreamResumption(agreement: try WriteResponse(decoding: first))))
    }

    @Test(arguments: Way.allCases)
    func `a listener that resumes after a restore gets the documents of the restored database`(way: Way) async throws {
        try await serve { server in
            try await server.commit(.set("c/a", [("n", .integer(1))]))
            try await server.commit(.set("c/b0", [("n", .integer(1))]))
        }
        let copy = folder.file("copy.sqlite")
        try FileManager.default.copyItem(atPath: file, toPath: copy)
        let (seen, page, resumption) = try await serve { server in
            try await server.commit(.set("c/b", [("n", .integer(1))]))
            try await server.commit(.set("c/a", [("n", .integer(2))]))
            let (_, handler, resumption) = try await openWriteStream(server, WriteStreamResumption.request(opening: Self.database))
            handler.halfClosed()
            return (try await listen(server, .beginning), try await list(server), resumption)
        }
        #expect(lines(seen).contains("a=integer(2)") && lines(seen).contains("b=integer(1)"))
        try restore(copy, way)
        try await serve { server in
            try await server.commit(.set("c/d", [("n", .integer(1))]))
            for count in [nil, 3] as [Int?] {
                let frames = try await listen(server, .resumeToken(try token(seen)), expects: count)
                let told = lines(frames)
                #expect(told.contains("reset"))
                #expect(told.filter { $0.contains("=") || $0.contains("-") }.sorted() == ["a=integer(1)", "b0=integer(1)", "d=integer(1)"])
                // Its own token is one of the new history.
                #expect(!lines(try await listen(server, .resumeToken(try token(frames)))).contains("reset"))
                // Clients ignore snapshots and documents that are older than what they have.
                let before = try #require(ListenToken(try token(seen))), after = try #require(ListenToken(try token(frames)))
                #expect(after.time > before.time && after.history != before.history && after.history != nil)
                guard way == .command else { continue }
                for case .documentChange(_, let document, _, _) in frames { #expect(document.updateTime > before.time) }
            }
            let refused = await #expect(throws: RPCStatus.self) { try await list(server, page: page) }
            #expect(refused?.code == .invalidArgument && refused?.message.contains("restored") == true)
            let lost = await #expect(throws: RPCStatus.self) {
                _ = try await openWriteStream(server, resumption.request(resuming: Self.database))
            }
            #expect(lost.map { WriteStreamResumption.isLost(FirestoreError($0.code, $0.message)) } == true)
        }
    }

    /// A directory that was put back by hand with the server stopped: its lock file fits, and after it the same times and counts come again.
    @Test(arguments: [nil, 2, 3] as [Int?])
    func `a directory that was put back resets what names the lost commits, and nothing else`(count: Int?) async throws {
        let (common, commonPage) = try await serve { server in
            try await server.commit(.set("c/a", [("n", .integer(1))]), .set("c/b0", [("n", .integer(1))]))
            return (try await listen(server, .beginning), try await list(server))
        }
        try FileManager.default.copyItem(atPath: folder.file("data"), toPath: folder.file("copy"))
        let before = clock.now()
        let (lost, lostPage, resumption) = try await serve { server in
            try await server.commit(.set("c/b", [("n", .integer(1))]))
            try await server.commit(.set("c/a", [("n", .integer(2))]), Self.deletion)
            let (_, handler, resumption) = try await openWriteStream(server, WriteStreamResumption.request(opening: Self.database))
            handler.halfClosed()
            return (try await listen(server, .beginning), try await list(server), resumption)
        }
        try FileManager.default.removeItem(atPath: folder.file("data"))
        try FileManager.default.moveItem(atPath: folder.file("copy"), toPath: folder.file("data"))
        clock.set(microseconds: before)
        try await serve { server in
            try await server.commit(.set("c/x", [("n", .integer(1))]))
            try await server.commit(Self.deletion)
            let frames = try await listen(server, .resumeToken(try token(lost)), expects: count)
            let own = try #require(ListenToken(try token(frames))), other = try #require(ListenToken(try token(lost)))
            #expect(own.time == other.time && own.history == other.history && own.run != other.run)
            #expect(lines(frames).contains("reset"))
            #expect(lines(frames).filter { $0.contains("=") || $0.contains("-") }.sorted() == ["a=integer(1)", "x=integer(1)"])
            // What both have is continued.
            let continued = lines(try await listen(server, .resumeToken(try token(common))))
            #expect(!continued.contains("reset") && continued.contains("x=integer(1)") && continued.contains("-b0"))
            #expect(!lines(try await listen(server, .resumeToken(try token(frames)))).contains("reset"))
            #expect(try await list(server, page: commonPage).isEmpty)
            let refused = await #expect(throws: RPCStatus.self) { try await list(server, page: lostPage) }
            #expect(refused?.code == .invalidArgument)
            let gone = await #expect(throws: RPCStatus.self) {
                _ = try await openWriteStream(server, resumption.request(resuming: Self.database))
            }
            #expect(gone.map { WriteStreamResumption.isLost(FirestoreError($0.code, $0.message)) } == true)
        }
    }

    @Test func `a listener of a directory that was put back is reset without a commit`() async throws {
        try await serve { server in try await server.commit(.set("c/a", [("n", .integer(1))])) }
        try FileManager.default.copyItem(atPath: folder.file("data"), toPath: folder.file("copy"))
        let lost = try await serve { server in
            try await server.commit(.set("c/a", [("n", .integer(2))]))
            return try await listen(server, .beginning)
        }
        try FileManager.default.removeItem(atPath: folder.file("data"))
        try FileManager.default.moveItem(atPath: folder.file("copy"), toPath: folder.file("data"))
        try await serve { server in
            let frames = try await listen(server, .resumeToken(try token(lost)))
            #expect(lines(frames).contains("reset") && lines(frames).contains("a=integer(1)"))
            // Clients ignore earlier snapshots.
            let own = try #require(ListenToken(try token(frames))), other = try #require(ListenToken(try token(lost)))
            #expect(own.time > other.time)
        }
    }

    @Test func `tokens from before runs had numbers hold in the file that was upgraded, up to the upgrade`() async throws {
        try await serve { server in try await server.commit(.set("c/a", [("n", .integer(1))])) }
        let history = try await serve { server in try #require(try await server.open().history) }
        let last = try #require(history.runs?.opened)
        for (time, isReset) in [(last.microseconds, false), (last.microseconds + 1, true)] {
            let earlier = ListenToken(time: DocumentVersion(microseconds: time), history: history.mark)
            let upgraded = DatabaseHistory(number: history.number, runs: DatabaseRuns().appending(9, after: last))
            var state = ListenState(database: Self.database, history: upgraded)
            let request = ListenTargetRequest(target: .success(.query(.all("c"))), targetID: 2, start: .resumeToken(earlier.bytes))
            state.receive(ListenRequest(database: Self.database, change: .add(request)))
            guard case .watch(_, _, let start)? = state.next(isWritable: true) else {
                Issue.record("no watch")
                continue
            }
            #expect((start == nil) == isReset)
        }
    }

    @Test func `without a restore everything continues after a restart`() async throws {
        let (seen, page, resumption) = try await serve { server in
            try await server.commit(.set("c/a", [("n", .integer(1))]), .set("c/b", [("n", .integer(1))]))
            let (_, handler, resumption) = try await openWriteStream(server, WriteStreamResumption.request(opening: Self.database))
            handler.halfClosed()
            return (try await listen(server, .beginning), try await list(server), resumption)
        }
        try await serve { server in
            #expect(!lines(try await listen(server, .resumeToken(try token(seen)))).contains("reset"))
            #expect(try await list(server, page: page).isEmpty)
            let (_, handler, agreed) = try await openWriteStream(server, resumption.request(resuming: Self.database))
            #expect(agreed == resumption)
            handler.halfClosed()
        }
    }

    @Test func `tokens without a history are good in a file that was migrated, until it is restored`() async throws {
        let history = DatabaseHistory(number: 7 << 32, includesEarlierTokens: true)
        var parameters = PageToken.Parameters(method: .listDocuments, database: Self.database, history: nil)
        parameters.add("c")
        let text = PageToken(values: [ValueBytes(.integer(1))]).text(parameters, at: .none)
        for (history, isGood) in [(history, true), (DatabaseHistory(number: 8 << 32), false)] {
            var parameters = PageToken.Parameters(method: .listDocuments, database: Self.database, history: history)
            parameters.add("c")
            if isGood {
                #expect(try PageToken.read(text, parameters)?.values.count == 1)
            } else {
                #expect(throws: FirestoreError.self) { try PageToken.read(text, parameters) }
            }
            let own = PageToken(values: [ValueBytes(.integer(2))]).text(parameters, at: .none)
            #expect(try PageToken.read(own, parameters)?.values.count == 1)
            var state = ListenState(database: Self.database, history: history)
            let earlier = ListenToken(time: DocumentVersion(microseconds: 5)).bytes
            let request = ListenTargetRequest(target: .success(.query(.all("c"))), targetID: 2, start: .resumeToken(earlier))
            state.receive(ListenRequest(database: Self.database, change: .add(request)))
            guard case .watch(_, _, let start)? = state.next(isWritable: true) else {
                Issue.record("no watch")
                continue
            }
            #expect((start != nil) == isGood)
        }
    }

    // DN-5.6: a fail-over continues a history; a restore does not.
    @Test func `places of a history that was continued can be used, states up to its end only`() throws {
        let old = DatabaseHistory(number: 7 << 32)
        let end = DocumentVersion(microseconds: 50)
        let history = DatabaseHistory(number: 9 << 32, earlier: [.init(number: 7 << 32, end: end)])
        func parameters(_ history: DatabaseHistory) -> PageToken.Parameters {
            PageToken.Parameters(method: .listDocuments, database: Self.database, history: history)
        }
        let text = PageToken(values: [ValueBytes(.integer(1))]).text(parameters(old), at: .none)
        #expect(try PageToken.read(text, parameters(history))?.values.count == 1)
        #expect(throws: FirestoreError.self) { try PageToken.read(text, parameters(DatabaseHistory(number: 9 << 32))) }
        for (time, isKnown) in [(50, true), (51, false)] as [(Int64, Bool)] {
            let token = ListenToken(time: DocumentVersion(microseconds: time), history: old.mark)
            let resumption = WatchResumption(time: token.time, history: token.history)
            #expect(resumption.isKnown(in: history) == isKnown && resumption.isKnown(in: old) && resumption.isKnown(in: nil))
            // The history may change while a stream is open.
            var state = ListenState(database: Self.database, history: old)
            state.history = history
            let request = ListenTargetRequest(target: .success(.query(.all("c"))), targetID: 2, start: .resumeToken(token.bytes))
            state.receive(ListenRequest(database: Self.database, change: .add(request)))
            guard case .watch(_, _, let start)? = state.next(isWritable: true) else {
                Issue.record("no watch")
                continue
            }
            #expect(start == (isKnown ? resumption : nil))
        }
    }

    // MARK: The command

    private func make() async throws -> String {
        try await serve { server in try await server.commit(.set("c/a", [("n", .integer(1))])) }
        let copy = folder.file("copy.sqlite")
        try FileManager.default.copyItem(atPath: file, toPath: copy)
        return copy
    }

    private func restore(
        _ copy: String, project: String? = nil, database: String? = nil, replaces: Bool = false
    ) throws(FirestoreError) -> DatabaseRestore.Outcome {
        try DatabaseRestore.run(copy, into: folder.file("data"), project: project, database: database) { restore in
            restore.replaces = replaces
            restore.clock = clock
        }.outcome
    }

    @Test func `an existing database is not replaced, or stored under another name`() async throws {
        let copy = try await make()
        expectImmediateError(.alreadyExists, mentioning: "a database is there already") { try restore(copy) }
        let outcome = try restore(copy, replaces: true)
        let replaced = try #require(outcome.replaced)
        #expect(try DatabaseInspection.databaseID(of: replaced) == Self.database)
        #expect(try DatabaseInspection.check(file).report.isSound)
        let names = try FileManager.default.contentsOfDirectory(atPath: (file as NSString).deletingLastPathComponent)
        #expect(!names.contains { $0.contains(".restoring") }, "\(names)")
    }

    @Test func `a copy is restored under its own name only`() async throws {
        let copy = try await make()
        try FileManager.default.removeItem(atPath: folder.file("data"))
        expectImmediateError(.failedPrecondition, mentioning: "library", "hearth export") { try restore(copy, project: "other") }
        expectImmediateError(.failedPrecondition, mentioning: "library") { try restore(copy, database: "other") }
        #expect(try restore(copy, project: "library", database: "(default)").documents == 1)
    }

    @Test func `restoring a damaged copy, or a file that is not a database, changes nothing`() async throws {
        let copy = try await make()
        let before = try Data(contentsOf: URL(fileURLWithPath: file))
        try Data("no database".utf8).write(to: URL(fileURLWithPath: folder.file("text")))
        #expect(throws: FirestoreError.self) { try restore(folder.file("text"), replaces: true) }
        #expect(throws: FirestoreError.self) { try restore(folder.file("nothing"), replaces: true) }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
        bytes.removeLast(bytes.count / 2)
        try bytes.write(to: URL(fileURLWithPath: copy))
        #expect(throws: FirestoreError.self) { try restore(copy, replaces: true) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
        #expect(try DatabaseInspection.check(file).report.isSound)
    }

    @Test func `the location of an open database, and of a served directory, is not touched`() async throws {
        let copy = try await make()
        try await serve { server in
            _ = try await server.open()
            expectImmediateError(.failedPrecondition, mentioning: "stop that process") { try restore(copy, replaces: true) }
        }
        let held = try DataDirectory(folder.file("data"))
        expectImmediateError(.failedPrecondition, mentioning: "served by another process") { try restore(copy, replaces: true) }
        withExtendedLifetime(held) {}
    }

    @Test func `the first commit after a restore is later than every commit before it, whatever the clock says`() async throws {
        let copy = try await make()
        clock.advance(microseconds: 1_000_000_000)
        try await serve { server in try await server.commit(.set("c/late", [("n", .integer(1))])) }
        let late = clock.now()
        clock.set(microseconds: 5)
        let outcome = try restore(copy, replaces: true)
        #expect(outcome.time.microseconds > late)
    }

    /// A server that was killed leaves commits in the log.
    private func leaveLog() async throws -> String {
        let copy = try await make()
        let left = folder.file("left")
        try await serve { server in
            try await server.commit(.set("c/late", [("n", .integer(2))]))
            for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: file + suffix, toPath: left + suffix) }
        }
        for suffix in ["", "-wal"] {
            try? FileManager.default.removeItem(atPath: file + suffix)
            try FileManager.default.moveItem(atPath: left + suffix, toPath: file + suffix)
        }
        return copy
    }

    @Test func `the database that is replaced is preserved with the commits of its log`() async throws {
        let copy = try await leaveLog()
        let replaced = try #require(try restore(copy, replaces: true).replaced)
        for path in [file, replaced] { #expect(!FileManager.default.fileExists(atPath: path + "-wal")) }
        #expect(try DatabaseInspection.check(replaced).report.documents == 2)
        #expect(try DatabaseInspection.check(file).report.documents == 1)
    }

    @Test func `a replacement that fails at the end leaves the database with the commits of its log`() async throws {
        let copy = try await leaveLog()
        // In the way of the preserved copy.
        clock.advance(microseconds: 1_000_000)
        for time in clock.now()...clock.now() + 9 {
            try FileManager.default.createDirectory(atPath: "\(file).replaced-\(time)/x", withIntermediateDirectories: true)
        }
        #expect(throws: FirestoreError.self) { try restore(copy, replaces: true) }
        #expect(try DatabaseInspection.check(file).report.documents == 2)
        let names = try FileManager.default.contentsOfDirectory(atPath: (file as NSString).deletingLastPathComponent)
        #expect(!names.contains { $0.contains(".restoring") }, "\(names)")
    }

    @Test func `a restored file has the mode of the file that it replaces, or else of the copy`() async throws {
        let copy = try await make()
        func mode(_ path: String) throws -> Int? { try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int }
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
        _ = try restore(copy, replaces: true)
        #expect(try mode(file) == 0o640)
        try FileManager.default.removeItem(atPath: folder.file("data"))
        _ = try restore(copy)
        #expect(try mode(file) == 0o600)
    }

    @Test(arguments: [Int64.max, 5_000_000_000_000_000]) func `times that only damage explains are not believed`(time: Int64) async throws {
        let copy = try await make()
        try Data("1234\nhistory 0000000000000005 \(time)\n".utf8).write(to: URL(fileURLWithPath: file + ".lock"))
        clock.advance(microseconds: 1_000_000)
        #expect(abs(try restore(copy, replaces: true).time.microseconds - clock.now()) < 1_000_000)
    }

    @Test func `a copy with a log beside it is restored with the commits of the log`() async throws {
        let copy = folder.file("copy.sqlite")
        try await serve { server in
            try await server.commit(.set("c/a", [("n", .integer(1))]))
            // A snapshot of the file system.
            for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: file + suffix, toPath: copy + suffix) }
        }
        #expect(try restore(copy, replaces: true).documents == 1)
    }
}
