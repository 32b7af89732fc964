// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreRPC
import FirestoreRules
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreServer

/// Listeners under rules (SR-144, SR-145).
struct RuledListenTests {
    private static func key(_ path: String) -> DocumentKey { DocumentKey(trusted: path) }

    private static func query(_ owner: String) -> StructuredQuery {
        var query = StructuredQuery.all("own")
        query.filter = .field(FieldPathSegments("owner"), .equal, ValueBytes(.string(owner)))
        return query
    }

    private static func owned(_ n: Int64, by owner: String = "ada") -> Write {
        .set("own/ada", [("owner", .string(owner)), ("n", .integer(n))])
    }

    @Test func `a document that becomes another's ends its target, and the others continue`() async throws {
        let server = try await Ruled.server()
        let database = try await server.open()
        let listener = try server.listen(.documents([Self.key("own/ada")]), as: Ruled.ada)
        listener.add(.documents([Self.key("role/a")]), 2)
        _ = try await listener.snapshot()
        _ = try await database.commit([Self.owned(1)], context: .embedded)
        try await listener.document("own/ada", "n", 1)
        _ = try await database.commit([Self.owned(2, by: "bob")], context: .embedded)
        #expect(try await listener.isRemoved(1) == .permissionDenied)
        _ = try await database.commit([.set("role/a", [("n", .integer(3))])], context: .embedded)
        try await listener.document("role/a", "n", 3)
        let told = try listener.responses.contains { response in
            if case .documentChange(_, let document, _, _) = response, case .integer(2)? = document["n"] { true } else { false }
        }
        #expect(!told && listener.call.status == nil)
        listener.handler.ended(nil)
    }

    @Test func `a role that is taken ends the targets that need it`() async throws {
        let server = try await Ruled.server()
        let listener = try server.listen(.documents([Self.key("role/a")]), as: Ruled.ada)
        _ = try await listener.snapshot()
        _ = try await server.open().commit([.set("roles/ada", [("reads", .boolean(false))])], context: .embedded)
        #expect(try await listener.isRemoved(1) == .permissionDenied)
        listener.handler.ended(nil)
    }

    @Test(arguments: [RulesRegistry.Scope.everyDatabase, .project("library"), .databaseID("(default)"), .database(ServerFixture.database)])
    func `listeners that were opened without rules are judged when there are some`(scope: RulesRegistry.Scope) async throws {
        let server = try await Ruled.server()
        server.rules.install(.open, for: .everyDatabase)
        let (ada, bob) = (try server.listen(.query(Self.query("ada")), as: Ruled.ada), try server.listen(.query(Self.query("ada")), as: Ruled.bob))
        let admin = try server.listen(.query(Self.query("ada")), as: Ruled.admin)
        for listener in [ada, bob, admin] { _ = try await listener.snapshot() }
        server.rules.install(try Ruled.rules(Ruled.standard), for: scope)
        #expect(try await bob.isRemoved(1) == .permissionDenied)
        _ = try await server.open().commit([Self.owned(7)], context: .embedded)
        for listener in [ada, admin] { try await listener.document("own/ada", "n", 7) }
        // What was opened under rules comes under others, too.
        server.rules.install(try Ruled.rules("match /none/{id} { allow read; }"), for: scope)
        #expect(try await ada.isRemoved(1) == .permissionDenied)
        _ = try await server.open().commit([Self.owned(8)], context: .embedded)
        try await admin.document("own/ada", "n", 8)
        for listener in [ada, bob, admin] { listener.handler.ended(nil) }
    }

    @Test func `a document that leaves for where the caller must not look is only removed`() async throws {
        let server = try await Ruled.server()
        let database = try await server.open()
        let listener = try server.listen(.query(Self.query("ada")), as: Ruled.ada)
        _ = try await listener.snapshot()
        _ = try await database.commit([Self.owned(1, by: "bob")], context: .embedded)
        let removed: DocumentKey = try await listener.first { response in
            if case .documentRemove(_, let key, [1], _) = response { key } else { nil }
        }
        #expect(removed == Self.key("own/ada"))
        // What is deleted is said to be.
        _ = try await database.commit([.set("own/x", [("owner", .string("ada")), ("n", .integer(1))])], context: .embedded)
        try await listener.document("own/x", "n", 1)
        _ = try await database.commit([.delete("own/x")], context: .embedded)
        let deleted: DocumentKey = try await listener.first { response in
            if case .documentDelete(_, let key, [1], _) = response { key } else { nil }
        }
        #expect(deleted == Self.key("own/x"))
        listener.handler.ended(nil)
    }

    @Test func `a resumed listener learns no more than one that stayed`() async throws {
        let server = try await Ruled.server()
        let first = try server.listen(.query(Self.query("ada")), as: Ruled.ada)
        let token = try await first.snapshot()
        first.handler.ended(RPCStatus(.unavailable, "lost"))
        _ = try await server.open().commit([Self.owned(1, by: "bob")], context: .embedded)
        let second = try server.listen(.query(Self.query("ada")), as: Ruled.ada, from: token)
        _ = try await second.snapshot()
        for response in try second.responses {
            if case .documentChange(_, let document, _, _) = response { #expect(document.key.path != "own/ada") }
        }
        second.handler.ended(nil)
    }
}
