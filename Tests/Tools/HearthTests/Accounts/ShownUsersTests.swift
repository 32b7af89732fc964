// SPDX-License-Identifier: Apache-2.0
import FirestoreConsole
import FirestoreCore
import FirestoreGateway
import FirestoreServer
import TestSupport
import Testing

@testable import hearth

/// What the console's page of users asks and changes.
@Suite(.timeLimit(.minutes(2)))
struct ShownUsersTests {
    private func text(_ json: JSON?) -> String { if case .string(let text)? = json { text } else { "" } }

    private func users(_ json: JSON) -> [JSON] { if case .array(let users)? = json["users"] { users } else { [] } }

    private func failure(_ body: () async throws(FirestoreError) -> Void) async -> FirestoreError? {
        do throws(FirestoreError) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [AccountsPort.development, AccountsPort.production])
    func `users are created, listed, found, changed and deleted`(arguments: [String]) async throws {
        try await AccountsPort.run(arguments) { port in
            let served = ShownUsers(port.server)
            func read(_ parameters: [String: String] = [:]) async throws -> JSON { try await served.respond(to: .init(.read, parameters: parameters)) }
            func change(_ body: String) async throws(FirestoreError) -> JSON {
                try await served.respond(to: .init(.change, parameters: [:], body: (try? JSON(body.utf8)) ?? .null))
            }
            #expect(text(served.summary["project"]) == "demo-shop")
            for name in ["ada", "bob", "cleo"] {
                let made = try await change(#"{"action":"create","localId":"id-\#(name)","email":"\#(name)@b.c","password":"secret1","displayName":"<b>"}"#)
                #expect(text(made["localId"]) == "id-\(name)" && made["idToken"] == nil)
            }
            let all = try await read()
            #expect(users(all).count == 3 && all["count"]?.text() == "3" && all["next"] == nil && !all.text().contains("passwordHash"))
            let first = try await read(["limit": "2"])
            #expect(users(first).count == 2 && text(first["next"]) == "id-bob")
            let rest = users(try await read(["limit": "2", "after": "id-bob"])).map { text($0["localId"]) }
            #expect(rest == ["id-cleo"])
            let searches: [(search: String, found: [String])] = [
                ("ADA", ["id-ada"]), ("id-b", ["id-bob"]), ("id-", ["id-ada", "id-bob", "id-cleo"]), ("da", []), ("%", []),
            ]
            for row in searches {
                let found = users(try await read(["search": row.search])).map { text($0["localId"]) }
                #expect(found == row.found, "\(row.search)")
            }
            _ = try await change(#"{"action":"update","localId":"id-bob","disableUser":true,"customAttributes":"{\"role\":\"editor\"}"}"#)
            let bob = try #require(users(try await read(["search": "bob@"])).first)
            #expect(bob["disabled"]?.text() == "true" && text(bob["customAttributes"]) == #"{"role":"editor"}"#)
            let reset = try await change(#"{"action":"reset","email":"ada@b.c"}"#)
            #expect(text(reset["oobLink"]).contains("mode=resetPassword") && !text(reset["oobCode"]).isEmpty)
            _ = try await served.respond(to: .init(.delete, parameters: ["id": "id-cleo"]))
            let left = users(try await read())
            #expect(left.count == 2)
        }
    }

    static let refused: [(body: String, code: FirestoreError.Code, says: String)] = [
        (#"{"action":"create","email":"ada@b.c"}"#, .alreadyExists, "another account has this e-mail address"), (#"{"action":"create","email":"ada"}"#, .invalidArgument, "not an e-mail address"),
        (#"{"action":"create","email":"x@b.c","password":"short"}"#, .invalidArgument, "at least 6 characters"), (#"{"action":"update","localId":"gone"}"#, .notFound, "no such account"),
        (#"{"action":"update","localId":"id-ada","customAttributes":"[]"}"#, .invalidArgument, "JSON object"),
        (#"{"action":"update","localId":"id-ada","customAttributes":"{\"sub\":1}"}"#, .invalidArgument, "reserved: sub"),
        (#"{"action":"reset","email":"gone@b.c"}"#, .notFound, "no account has this e-mail address"), (#"{"action":"explode"}"#, .invalidArgument, "is not create, update"), ("{}", .invalidArgument, "needs \"action\""),
    ]

    @Test func `an impossible request is reported in a sentence`() async throws {
        try await AccountsPort.run(AccountsPort.production) { port in
            let served = ShownUsers(port.server)
            _ = try await served.respond(to: .init(.change, parameters: [:], body: try JSON(#"{"action":"create","localId":"id-ada","email":"ada@b.c"}"#.utf8)))
            for row in Self.refused {
                let body = try JSON(row.body.utf8)
                let error = await failure { () throws(FirestoreError) in _ = try await served.respond(to: .init(.change, parameters: [:], body: body)) }
                #expect(error?.code == row.code && error?.message.contains(row.says) == true, "\(row.body): \(error.map { "\($0)" } ?? "nothing")")
            }
            let other = await failure { () throws(FirestoreError) in _ = try await served.respond(to: .init(.read, parameters: ["project": "other"])) }
            #expect(other?.code == .notFound && other?.message.contains("demo-shop") == true)
            let nothing = await failure { () throws(FirestoreError) in _ = try await served.respond(to: .init(.delete, parameters: [:])) }
            #expect(nothing?.code == .invalidArgument)
        }
    }

    @Test func `codes are listed in development, and looking at a project does not make accounts for it`() async throws {
        try await AccountsPort.run(AccountsPort.development) { port in
            let served = ShownUsers(port.server)
            _ = await port.post("/v1/accounts:signUp?key=a", #"{"email":"ada@b.c","password":"secret1"}"#)
            _ = await port.post("/v1/accounts:sendOobCode?key=a", #"{"requestType":"PASSWORD_RESET","email":"ada@b.c"}"#)
            let codes = try await served.respond(to: .init(.read, parameters: ["codes": "1"]))
            #expect(codes.text().contains(#""requestType":"PASSWORD_RESET""#) && codes.text().contains("ada@b.c"))
            let empty = try await served.respond(to: .init(.read, parameters: ["project": "never-used"]))
            #expect(empty["count"]?.text() == "0")
        }
        try await AccountsPort.run(AccountsPort.production) { port in
            let codes = try await ShownUsers(port.server).respond(to: .init(.read, parameters: ["codes": "1"]))
            #expect(codes.text() == #"{"codes":[]}"#)
        }
    }
}
