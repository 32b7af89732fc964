// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSync

/// Listeners of the cache alone, which no report of the server reaches (firebase-ios-sdk #15585).
@Suite(.timeLimit(.minutes(5)))
struct CacheListenerTests {
    @Test func `a write is not pending any more when it is acknowledged`() async throws {
        try await ClientFixture.with { world in
            let notes = Notes()
            let listener = world.listen(source: .cache) { notes.add(ClientFixture.text($0)) }
            await world.write(.set("c/a", ("n", .integer(1))))
            try await world.client.waitForPendingWrites()
            await eventually("the acknowledgement shows") { notes.lines.last == "[a] fc" }
            #expect(notes.lines.contains("[a] fc pw"))
            listener.remove()
        }
    }

    @Test func `what the server has computed shows with the acknowledgement`() async throws {
        try await ClientFixture.with { world in
            let notes = Notes()
            let listener = world.listen(source: .cache) { result in
                guard case .success(let view) = result, let document = view.documents.first else { return }
                notes.add("\((try? document.fields.map["n"]).flatMap { $0 }.map { "\($0)" } ?? "none") \(view.hasPendingWrites)")
            }
            try await world.onServer("c/a", 5)
            let write = Write(
                key: DocumentKey(trusted: "c/a"), operation: .patch(FieldBytes(FieldMap()), mask: []),
                transforms: [FieldTransform(path: FieldPathSegments("n"), kind: .increment(.integer(1)))])
            await world.write(write)
            try await world.client.waitForPendingWrites()
            await eventually("the sum shows") { notes.lines.last == "integer(6) false" }
            listener.remove()
        }
    }

    @Test func `acknowledged writes wait no more when the last listener of the server has left`() async throws {
        try await ClientFixture.with { world in
            let (remote, cached) = (Notes(), Notes())
            let first = world.listen { remote.add(ClientFixture.text($0)) }
            await eventually("the server's result") { remote.lines.last == "[]" }
            let second = world.listen(source: .cache) { cached.add(ClientFixture.text($0)) }
            await world.write(.set("c/a", ("n", .integer(1))))
            await eventually("the write is confirmed") { cached.lines.last == "[a]" }
            first.remove()
            await world.write(.set("c/b", ("n", .integer(1))))
            try await world.client.waitForPendingWrites()
            await eventually("the second one, too, by its acknowledgement") { cached.lines.last?.contains("[a b]") == true && cached.lines.last?.contains("pw") == false }
            second.remove()
        }
    }
}
