// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import FirestoreTesting
import Foundation
import TestSupport
import Testing

@testable import FirebaseFirestore
@testable import FirestoreSync

/// Rows of the behaviour table that are about the client as a whole.
@Suite(.timeLimit(.minutes(3))) struct ClientRowTests {
    // T28
    @Test func `a listener of a terminated client gets an error and nothing else`() async throws {
        let world = try ClientFixture()
        try await world.onServer("c/a", 1)
        await world.client.terminate()
        let notes = Notes()
        let handle = world.listen { notes.add(ClientFixture.text($0)) }
        await eventually("the error") { !notes.lines.isEmpty }
        try await world.onServer("c/b", 1)
        world.callbacks.sync {}
        #expect(notes.lines == ["failedPrecondition"])
        handle.remove()
        #expect(await world.read("c/a", .cache) == "failedPrecondition")
        #expect(await world.run(.collection("c"), .default) == "failedPrecondition")
        try await world.network.close()
    }

    // T17
    @Test func `a listener that removes itself in its first callback receives nothing more`() async throws {
        try await ClientFixture.with { world in
            try await world.onServer("c/a", 1)
            let notes = Notes()
            let handle = Mutex<(any ListenHandle)?>(nil)
            // Held until the handle is known.
            world.callbacks.suspend()
            let listener = world.listen { result in
                notes.add(ClientFixture.text(result))
                handle.withLock { $0 }?.remove()
            }
            handle.withLock { $0 = listener }
            world.callbacks.resume()
            await eventually("the first event") { !notes.lines.isEmpty }
            try await world.onServer("c/b", 1)
            #expect(await world.run(.collection("c"), .server) == "[a b]")
            world.callbacks.sync {}
            #expect(notes.lines.count == 1)
        }
    }

    // T65
    @Test func `a completion handler may add a listener, which sees the state after the answer`() async throws {
        try await ClientFixture.with { world in
            let notes = Notes()
            let handle = Mutex<(any ListenHandle)?>(nil)
            world.client.write([.set("c/a", ("n", .integer(1)))], saved: { _ in }) { result in
                if case .failure = result { notes.add("failed") }
                let listener = world.listen(source: .cache) { notes.add(ClientFixture.text($0)) }
                handle.withLock { $0 = listener }
            }
            await eventually("the first snapshot") { !notes.lines.isEmpty }
            // Acknowledged, and so not pending.
            #expect(notes.lines == ["[a] fc"])
            handle.withLock { $0 }?.remove()
        }
    }

    // T67
    @Test func `a listener may write, read and listen in its callback, on whatever queue`() async throws {
        try await ClientFixture.with { world in
            let notes = Notes()
            let handles = Mutex<[any ListenHandle]>([])
            func listen(_ schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) -> any ListenHandle {
                world.client.listen(to: .query("c"), options: ListenOptions(includeMetadataChanges: false), schedule: schedule) { result in
                    guard case .success(let view) = result else { return notes.add(ClientFixture.text(result)) }
                    notes.add("\(view.documents.count)")
                    if view.documents.count == 1 {
                        world.client.write([.set("c/b")], saved: { _ in }, completion: { _ in notes.add("acknowledged") })
                        let inner = world.listen(.document("c/b"), source: .cache) { _ in notes.add("inner") }
                        handles.withLock { $0.append(inner) }
                    }
                }
            }
            // On a queue of the app, and on the thread that brings the news.
            for schedule: @Sendable (@escaping @Sendable () -> Void) -> Void in [
                { [callbacks = world.callbacks] job in callbacks.async(execute: job) }, { job in job() },
            ] {
                let handle = listen(schedule)
                await world.write(.set("c/a"))
                await eventually("all of it") {
                    let lines = notes.lines
                    return lines.contains("2") && lines.contains("acknowledged") && lines.contains("inner")
                }
                handle.remove()
                await world.write(.delete("c/a"), .delete("c/b"))
                try await world.client.waitForPendingWrites()
            }
            for handle in handles.withLock({ $0 }) { handle.remove() }
        }
    }

    // T145
    @Test func `a transaction fails offline: after its attempts, or immediately if the network is disabled`() async throws {
        try await ClientFixture.with { world in
            try await world.onServer("c/a", 1)
            let db = world.firestore()
            @Sendable func transact() async throws {
                _ = try await db.runTransaction { transaction, _ in
                    _ = try? transaction.getDocument(db.document("c/a"))
                    transaction.updateData(["n": 2], forDocument: db.document("c/a"))
                    return nil
                }
            }
            try await transact()
            try await db.disableNetwork()
            let attempts = Mutex(0)
            await #expect {
                _ = try await db.runTransaction { transaction, _ in
                    attempts.withLock { $0 += 1 }
                    transaction.updateData(["n": 3], forDocument: db.document("c/a"))
                    return nil
                }
            } throws: { ($0 as NSError).code == FirestoreErrorCode.unavailable.rawValue }
            #expect(attempts.withLock { $0 } == 1)
            await #expect { try await transact() } throws: { ($0 as NSError).code == FirestoreErrorCode.unavailable.rawValue }
            try await db.enableNetwork()
            world.network.goOffline()
            await expectError(.unavailable) { try await world.client.beginTransaction(.readWrite(retrying: nil)) }
            world.network.goOnline()
            try await transact()
        }
    }

    // SY-137
    @Test func `a transaction neither sees nor waits for queued writes`() async throws {
        try await ClientFixture.with { world in
            try await world.onServer("c/a", 1)
            world.network.failNextWrites(count: 1_000_000, with: .resourceExhausted)
            await world.write(.patch("c/a", "n", .integer(9)))
            let id = try await world.client.beginTransaction(.readOnly(at: nil))
            let read = try await world.client.documents([DocumentKey(trusted: "c/a")], from: .default, at: .transaction(id))
            #expect(try read.documents[0].map { try CacheFixture.short($0.fields) } == "{n: 1}")
            await world.client.rollback(id)
        }
    }

    // MARK: T149

    /// The outcome that the caller of a write receives, and what is queued then.
    private func outcome(_ world: ClientFixture, _ writes: [Write]) async throws -> (error: FirestoreError?, queued: Int) {
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<CommitResponse, FirestoreError>, Never>) in
            world.client.write(
                writes, saved: { _ in Issue.record("it was queued") }, completion: { continuation.resume(returning: $0) })
        }
        guard case .failure(let error) = result else { return (nil, 0) }
        return (error, try await world.client.queue?.pendingWrites().count ?? 0)
    }

    // T149
    @Test func `a document that is too large is refused before it is queued`() async throws {
        try await ClientFixture.with { world in
            try await world.client.setNetworkEnabled(false)
            let text = Value.string(String(repeating: "x", count: 1_100_000))
            for write in [Write.set("c/large", ("text", text)), .patch("c/large", "text", text)] {
                let (error, queued) = try await outcome(world, [.set("c/a"), write])
                #expect(error?.code == .invalidArgument)
                #expect(error?.location == "c/large, field text")
                #expect(queued == 0)
            }
            #expect(await world.read("c/a", .cache) == "unavailable")
            // What comes with it in one turn of the queue is not touched.
            await world.write(.set("c/b"))
            #expect(try await world.client.queue?.pendingWrites().count == 1)
        }
    }

    // T149
    @Test func `a batch that is larger than any server takes is refused before it is queued`() async throws {
        try await ClientFixture.with { world in
            try await world.client.setNetworkEnabled(false)
            let text = Value.string(String(repeating: "x", count: 1_000_000))
            let large = try await outcome(world, (0..<11).map { .set("c/d\($0)", ("text", text)) })
            // Many small writes weigh more than their fields do.
            let many = try await outcome(world, (0..<160_000).map { .set("c/d\($0)", ("n", .integer(1))) })
            let elements = try await outcome(
                world, (0..<12).map { .transform("c/d\($0)", "list", .appendMissingElements([text])) })
            for (error, queued) in [large, many, elements] {
                #expect(error?.code == .invalidArgument)
                #expect(error?.location == "c/d0")
                #expect(error?.message.contains("split it") == true)
                #expect(queued == 0)
            }
            await world.write(.set("c/b"))
            try await world.client.setNetworkEnabled(true)
            try await world.client.waitForPendingWrites()
            #expect(await world.read("c/b", .server) == "{}")
        }
    }

    // MARK: T150

    // T150
    @Test func `a cache that cannot be read is named in the error`() throws {
        let folder = try ScratchFolder()
        let text = try folder.file("text", "These are not the bytes of a database, but a text that someone has put in their place.")
        expectImmediateError(.dataLoss, mentioning: text) { try ClientFixture(file: text) }
        #expect(try folder.bytes(of: "text").count > 50)
        let directory = folder.path
        expectImmediateError(.unavailable, mentioning: directory) { try ClientFixture(file: directory) }
        let damaged = folder.file("damaged")
        try CacheFixture(file: damaged, server: "test.invalid").store.close()
        var bytes = try folder.bytes(of: "damaged")
        for place in 100..<bytes.count { bytes[place] = 0xAA }
        _ = try folder.write(bytes, to: "damaged")
        expectImmediateError(.dataLoss, mentioning: damaged) { try ClientFixture(file: damaged) }
    }

    // MARK: Pending timestamps (R84, R85)

    private struct Note: Codable, Equatable {
        var text: String
        @ServerTimestamp var at: Date?
    }

    private struct Exact: Codable, Equatable {
        var at: Timestamp?
    }

    // T45, T48, T49
    @Test func `a pending server timestamp is null, an estimate or the value before, in every reader`() async throws {
        try await ClientFixture.with { world in
            let db = world.firestore()
            let note = db.document("notes/a")
            let before = Timestamp(seconds: 5, nanoseconds: 0)
            try await world.network.server.document("notes/a").setData(["text": "x", "at": before])
            #expect(try await note.getDocument().data(as: Note.self) == Note(text: "x", at: before.dateValue()))
            try await db.disableNetwork()
            func stamp() { note.updateData(["at": FieldValue.serverTimestamp()]) }
            stamp()
            try db.document("notes/new").setData(from: Note(text: "y"))
            stamp()
            let replaced = try await note.getDocument(source: .cache)
            #expect(replaced.metadata.hasPendingWrites && replaced.metadata.isFromCache)
            #expect(replaced.data()?["at"] is NSNull)
            #expect(replaced.data(with: .previous)?["at"] as? Timestamp == before)
            let estimate = try #require(replaced.get("at", serverTimestampBehavior: .estimate) as? Timestamp)
            #expect(estimate.seconds > 1_000_000_000)
            #expect(try replaced.data(as: Note.self) == Note(text: "x", at: nil))
            #expect(try replaced.data(as: Exact.self, with: .estimate) == Exact(at: estimate))
            #expect(try replaced.data(as: Exact.self, with: .previous) == Exact(at: before))
            let new = try await db.document("notes/new").getDocument(source: .cache)
            #expect(new.get("at", serverTimestampBehavior: .previous) is NSNull)
            #expect(try new.data(as: Note.self, with: .previous) == Note(text: "y", at: nil))
            #expect(try new.data(as: Note.self, with: .estimate).at != nil)
            // It sorts after all real timestamps, and is the server's when it has answered.
            try await db.enableNetwork()
            try await db.waitForPendingWrites()
            let known = try await note.getDocument(source: .server)
            #expect(known.data()?["at"] as? Timestamp == Timestamp(date: world.network.clock.now))
            #expect(try known.data(as: Note.self) == Note(text: "x", at: world.network.clock.now))
        }
    }
}
