// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreRules
import TestSupport
import Testing

@testable import FirestoreEnforcement

/// Reads are judged on the state that they answer from, and reads of an earlier state also on the present one.
struct ReadMomentTests {
    static let condition = "get(/databases/$(db)/documents/roles/x).data.isOpen == true"
    static let rules = "match /c/{id} { allow read: if \(condition); }"

    /// Every way to read `c/a`, and whether each is granted.
    private func expectReads(
        of database: RuledDatabase, _ options: ReadOptions, by context: RequestContext = .anonymous, granted: Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let service = database.service
        let count = [Aggregation(.count(upTo: nil))]
        let answers: [(name: String, call: () async throws -> Void)] = [
            ("documents", { _ = try await service.documents([key("c/a")], options: options, context: context) }),
            ("run", { _ = try await service.run(.collection("c"), options: options, context: context) }),
            ("pages", { try await service.run(.collection("c"), options: options, context: context) { _ in .next } }),
            ("aggregate", { _ = try await service.aggregate(.collection("c"), count, options: options, context: context) }),
            (
                "keys",
                {
                    let collection = CollectionPath(trusted: "c")
                    _ = try await service.documentKeys(in: collection, after: nil, limit: 9, options: options, context: context)
                }
            ),
            ("partitions", { _ = try await service.partitions(of: .group("c"), count: 2, options: options, context: context) }),
        ]
        for (name, call) in answers {
            do {
                try await call()
                #expect(granted, "\(name)", sourceLocation: sourceLocation)
            } catch let error as FirestoreError {
                #expect(error.code == .permissionDenied && !granted, "\(name): \(error)", sourceLocation: sourceLocation)
            }
        }
    }

    @Test(arguments: [false, true])
    func `a read of the past needs the rights of then and of now`(onFile: Bool) async throws {
        let database = try await RuledDatabase("\(Self.rules) match /{path=**}/c/{id} { allow read: if \(Self.condition); }", onFile: onFile)
        func set(_ isOpen: Bool) async throws(FirestoreError) -> DocumentVersion {
            try await database.engine.commit(.set("roles/x", ("isOpen", .boolean(isOpen))), .set("c/a")).commitTime
        }
        let (open, closed) = (try await set(true), try await set(false))
        for moment in [open, closed] { try await expectReads(of: database, .past(moment), granted: false) }
        try await expectReads(of: database, .past(open), by: .embedded, granted: true)
        _ = try await set(true)
        try await expectReads(of: database, .past(open), granted: true)
        try await expectReads(of: database, .past(closed), granted: false)
        await database.close()
    }

    @Test func `a document that has become secret or was deleted is not read in an earlier state`() async throws {
        let database = try await RuledDatabase("match /c/{id} { allow get: if resource.data.isOpen == true; }")
        let service = database.service
        func read(_ time: DocumentVersion) async throws -> Document? {
            try await service.documents([key("c/a")], options: .past(time), context: .anonymous).documents[0]
        }
        let open = try await database.engine.commit(.set("c/a", ("isOpen", .boolean(true)))).commitTime
        #expect(try await read(open) != nil)
        for write in [Write.set("c/a", ("isOpen", .boolean(false))), .delete("c/a")] {
            try await database.fill(write)
            await expectError(.permissionDenied) { _ = try await read(open) }
        }
        await database.close()
    }

    @Test(arguments: [false, true])
    func `a read in a transaction needs the rights of its moment and of now`(startsInThePast: Bool) async throws {
        let database = try await RuledDatabase("\(Self.rules) match /{path=**}/c/{id} { allow read: if \(Self.condition); }")
        let service = database.service
        let open = try await database.engine.commit(.set("roles/x", ("isOpen", .boolean(true))), .set("c/a")).commitTime
        let id = try await service.beginTransaction(.readOnly(at: startsInThePast ? open : nil), context: .anonymous)
        try await expectReads(of: database, .transaction(id), granted: true)
        try await database.fill(.set("roles/x", ("isOpen", .boolean(false))))
        try await expectReads(of: database, .transaction(id), granted: false)
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
