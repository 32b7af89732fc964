// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import HearthBase
import ServerFixtures
import Testing

@testable import FirestoreServer

/// What the headers say about the caller (SE-1, SE-2).
struct RequestContextTests {
    private func context(_ headers: [(name: String, value: String)]) throws(FirestoreError) -> RequestContext {
        let call = RPCCallInfo(path: "/x", metadata: RPCMetadata(headers))
        guard let known = try CallIdentification().identifyNow(call) else { throw FirestoreError(.internal, "it waits") }
        return known.context
    }

    private func token(_ claims: String) -> String { "e30." + Base64.encode(Array(claims.utf8)) + "." }

    @Test func `owner is the administrator, a request without credentials is anonymous`() throws {
        guard case .administrator = try context([("authorization", "Bearer owner")]).caller,
            case .anonymous = try context([]).caller
        else {
            Issue.record("the callers are mixed up")
            return
        }
    }

    @Test func `an unsigned token names a user and their claims`() throws {
        let claims = #"{"sub":"anna","admin":true,"level":3,"name":"Anna","none":null,"whole":2.0,"ratio":0.5,"big":1e300,"groups":["x",{"a":"b"}]}"#
        guard case .user("anna", let found) = try context([("authorization", "bearer " + token(claims))]).caller else {
            Issue.record("no user")
            return
        }
        // By type, as security rules compare them.
        #expect(found.entries.map(\.name) == ["admin", "big", "groups", "level", "name", "none", "ratio", "sub", "whole"])
        guard case .boolean(true)? = found["admin"], case .integer(3)? = found["level"], case .string("Anna")? = found["name"],
            case .null? = found["none"], case .integer(2)? = found["whole"], case .double(0.5)? = found["ratio"],
            case .double(1e300)? = found["big"], case .array(let groups)? = found["groups"], case .map(let map)? = groups.last,
            case .string("b")? = map["a"]
        else {
            Issue.record("\(found)")
            return
        }
    }

    @Test(arguments: [
        "owner", "Basic abc", "Bearer", "Bearer ", "Bearer garbage", "Bearer Owner?", "Bearer a.b", "Bearer a.b.c", "Bearer a.b.c.d", "Bearer e30.W10.", "Bearer e30.e30.",
        "Bearer x.eyJzdWIiOiJhIn0.", "Bearer W10.eyJzdWIiOiJhIn0.", "Bearer e30.eyJzdWIiOiJhIn0.!", "Bearer ya30.x", "Bearer ..",
    ])
    func `text that is not a token is rejected`(header: String) {
        let error = #expect(throws: FirestoreError.self) { try context([("authorization", header)]) }
        #expect(error?.code == .unauthenticated)
    }

    @Test(arguments: ["Bearer ya29.a0AfB_by-x", "bearer owner"])
    func `access tokens of Google's and the emulator's word are the administrator's`(header: String) throws {
        guard case .administrator = try context([("authorization", header)]).caller else {
            Issue.record("another caller")
            return
        }
    }

    @Test func `a trace is carried along, within bounds`() throws {
        let context = try context([("traceparent", "00-1-2-01"), ("x-request-id", String(repeating: "r", count: 1_000))])
        #expect(context.trace?.utf8.count == 128)
        let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        #expect(try self.context([("traceparent", parent)]).trace == parent)
        #expect(try self.context([]).trace == nil)
    }
}
