// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreRules
import TestSupport
import Testing

/// Reads are judged on the state that they answer from.
struct ReadMomentTests {
    static let rules = """
        match /c/{id} { allow read: if get(/databases/$(db)/documents/roles/x).data.isOpen == true; }
        """

    @Test(arguments: [false, true])
    func `what conditions read is read at the moment of the read`(onFile: Bool) async throws {
        let database = try await RuledDatabase(Self.rules, onFile: onFile)
        let service = database.service
        func set(_ isOpen: Bool) async throws(FirestoreError) -> DocumentVersion {
            try await database.engine.commit(.set("roles/x", ("isOpen", .boolean(isOpen))), .set("c/a")).commitTime
        }
        let (open, closed) = (try await set(true), try await set(false))
        let count = [Aggregation(.count(upTo: nil))]
        for (time, isGranted) in [(open, true), (closed, false)] {
            let options = ReadOptions.past(time)
            let answers: [() async throws -> Void] = [
                { _ = try await service.documents([key("c/a")], options: options, context: .anonymous) },
                { _ = try await service.run(.collection("c"), options: options, context: .anonymous) },
                { try await service.run(.collection("c"), options: options, context: .anonymous) { _ in .next } },
                { _ = try await service.aggregate(.collection("c"), count, options: options, context: .anonymous) },
            ]
            for answer in answers {
                if isGranted { try await answer() } else { await expectError(.permissionDenied) { try await answer() } }
            }
        }
        await database.close()
    }

    @Test func `a read in a transaction is judged at the transaction's moment`() async throws {
        let database = try await RuledDatabase(Self.rules)
        let service = database.service
        try await database.fill(.set("roles/x", ("isOpen", .boolean(true))), .set("c/a"))
        let id = try await service.beginTransaction(.readOnly(at: nil), context: .anonymous)
        _ = try await service.documents([key("c/a")], options: .transaction(id), context: .anonymous)
        try await database.fill(.set("roles/x", ("isOpen", .boolean(false))))
        _ = try await service.documents([key("c/b")], options: .transaction(id), context: .anonymous)
        _ = try await service.run(.collection("c"), options: .transaction(id), context: .anonymous)
        await expectError(.permissionDenied) { try await service.documents([key("c/a")], context: .anonymous) }
        await database.close()
    }

    @Test func `a query runs at the moment at which conditions have read`() async throws {
        // The role and the secret change together: no state has the role open and the secret there.
        let database = try await RuledDatabase(Self.rules)
        let (service, engine) = (database.service, database.engine)
        try await database.fill(.set("roles/x", ("isOpen", .boolean(true))))
        let writing = Task {
            for round in 0..<200 {
                let isOpen = round % 2 == 1
                _ = try await engine.commit(
                    [.set("roles/x", ("isOpen", .boolean(isOpen))), isOpen ? .delete("c/secret") : .set("c/secret")], context: .embedded)
            }
        }
        var (seen, denied) = (0, 0)
        for _ in 0..<300 {
            do throws(FirestoreError) {
                let found = try await service.run(.collection("c"), context: .anonymous).documents
                #expect(found.isEmpty)
                let document = try await service.documents([key("c/secret")], context: .anonymous).documents[0]
                #expect(document == nil)
                seen += 1
            } catch {
                #expect(error.code == .permissionDenied)
                denied += 1
            }
        }
        try await writing.value
        #expect(seen + denied == 300)
        await database.close()
    }

    @Test func `a database that has rested longer than its change log reaches back is read under rules`() async throws {
        let clock = ManualClock(microseconds: 1_750_000_000_000_000)
        let database = try await RuledDatabase(Self.rules, clock: clock)
        try await database.fill(.set("roles/x", ("isOpen", .boolean(true))), .set("c/a"))
        clock.advance(microseconds: 24 * 3_600_000_000)
        #expect(try await database.service.documents([key("c/a")], context: .anonymous).documents[0] != nil)
        #expect(try await database.service.run(.collection("c"), context: .anonymous).documents.count == 1)
        await database.close()
    }

    @Test func `more documents than a request may read are a denial`() async throws {
        let gets = (0..<11).map { "exists(/databases/$(db)/documents/r/\($0))" }.joined(separator: " && ")
        let database = try await RuledDatabase("match /c/{id} { allow read: if \(gets); }")
        for number in 0..<11 { try await database.fill(.set("r/\(number)")) }
        await expectError(.permissionDenied) { try await database.service.documents([key("c/a")], context: .anonymous) }
        await database.close()
    }
}
