// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreEnforcement
package import FirestoreRPC
import FirestoreRules
package import FirestoreServer
package import FirestoreWire
import HearthBase
import Testing

/// Rules and callers for tests of methods.
package enum Ruled {
    package typealias Header = [(name: String, value: String)]

    package static let ada = user("ada")
    package static let bob = user("bob")
    package static let admin: Header = [("authorization", "Bearer owner")]
    package static let nobody: Header = []

    package static func user(_ id: String) -> Header {
        [("authorization", "Bearer e30." + Base64.encode(Array(#"{"sub":"\#(id)"}"#.utf8)) + ".")]
    }

    /// Rules with these matches.
    package static func rules(_ matches: String) throws -> RulesInForce.Rules {
        .ruleSet(
            try RuleSet(
                """
                rules_version = '2';
                service cloud.firestore {
                  match /databases/{db}/documents {
                \(matches)
                  }
                }
                """))
    }

    package static let standard = """
            match /own/{id} {
              allow get, list, update, delete: if resource.data.owner == request.auth.uid;
              allow create: if request.resource.data.owner == request.auth.uid;
            }
            match /few/{id} { allow list: if request.query.limit <= 10; }
            match /drop/{id} { allow write; }
            match /role/{id} { allow read: if get(/databases/$(db)/documents/roles/$(request.auth.uid)).data.reads; }
            match /{all=**}/items/{id} { allow list: if request.auth != null; }
        """

    /// A server under the standard rules, with a document of ada's, one of bob's, and ada's role.
    package static func server(_ authentication: any CallAuthentication = UnprovedAuthentication()) async throws -> ServerFixture {
        let server = ServerFixture(rules: RulesRegistry(try rules(standard)), authentication: authentication)
        let database = try await server.open()
        let writes: [Write] = [
            .set("own/ada", [("owner", .string("ada"))]), .set("own/bob", [("owner", .string("bob"))]),
            .set("roles/ada", [("reads", .boolean(true))]), .set("role/a"), .set("few/a"), .set("boxes/a/items/b"),
        ]
        _ = try await database.commit(writes, context: .embedded)
        return server
    }

    package static let everyone: [(name: String, header: Header)] = [("ada", ada), ("bob", bob), ("nobody", nobody), ("admin", admin)]
}

extension ServerFixture {
    /// A method with one request and many answers, as a user.
    package func stream<Response: WireMessage>(
        _ method: FirestoreMethod, _ request: some WireMessage, as header: Ruled.Header, of type: Response.Type
    ) async throws -> [Response] {
        let (call, handler) = try open(method, metadata: header)
        handler.receive(ByteSlice(request.encoded()))
        handler.halfClosed()
        let messages = try await call.outcome()
        handler.ended(nil)
        return try messages.map { try Response(decoding: $0) }
    }

    package func listen(_ target: ListenTargetRequest.Target, as header: Ruled.Header, from token: ByteSlice? = nil) throws -> Listener {
        let (call, handler) = try open(.listen, metadata: header)
        let listener = Listener(call: call, handler: handler)
        listener.add(target, 1, from: token)
        return listener
    }
}

/// A Listen stream of a test.
package struct Listener {
    package let call: FakeStreamCall
    package let handler: any RPCStreamHandler

    package init(call: FakeStreamCall, handler: any RPCStreamHandler) {
        self.call = call
        self.handler = handler
    }

    package func add(_ target: ListenTargetRequest.Target, _ id: Int32, from token: ByteSlice? = nil) {
        let request = ListenTargetRequest(
            target: .success(target), targetID: id, start: token.map { .resumeToken($0) } ?? .beginning)
        handler.receive(ByteSlice(ListenRequest(database: ServerFixture.database, change: .add(request)).encoded()))
    }

    package var responses: [ListenResponse] {
        get throws { try call.messages.map { try ListenResponse(decoding: $0) } }
    }

    /// The first response that is one of these, once it is there. Throws how the stream ended if it does before.
    @discardableResult
    package func first<Found>(where body: (ListenResponse) -> Found?) async throws -> Found {
        var count = 1
        while true {
            await call.until(messages: count)
            let seen = try responses
            for response in seen {
                if let found = body(response) { return found }
            }
            guard seen.count >= count else {
                _ = try await call.outcome()
                throw FirestoreError(.internal, "the stream ended without it")
            }
            // What arrived since is looked at next.
            count = seen.count + 1
        }
    }

    package func isRemoved(_ target: Int32) async throws -> FirestoreError.Code? {
        let change: TargetChange = try await first { response in
            guard case .targetChange(let change) = response, change.kind == .remove, change.targets.contains(target) else { return nil }
            return change
        }
        return change.cause?.code
    }

    /// The token of the first snapshot.
    package func snapshot() async throws -> ByteSlice {
        try await first { response -> ByteSlice? in
            guard case .targetChange(let change) = response, change.kind == .noChange, !change.resumeToken.isEmpty else { return nil }
            return change.resumeToken
        }
    }

    package func document(_ path: String, _ field: String, _ value: Int64) async throws {
        try await first { response -> Bool? in
            guard case .documentChange(_, let document, _, _) = response, document.key.path == path, case .integer(value)? = document[field]
            else { return nil }
            return true
        }
    }
}
