// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import Testing

@testable import FirestoreAuthentication

struct BearerHeaderTests {
    private func token(_ values: String...) throws(FirestoreError) -> Substring? {
        try BearerHeader.token(RPCMetadata([("x-authorization", "Bearer x")] + values.map { ("authorization", $0) }))
    }

    @Test(arguments: ["Bearer a.b.c", "bearer a.b.c", "BEARER a.b.c", " Bearer   a.b.c  "])
    func `the token is the word behind the scheme`(header: String) throws {
        #expect(try token(header) == "a.b.c")
    }

    @Test(arguments: ["", " ", "Bearer", "Bearer ", " Bearer  ", "Beare a.b.c", "Bearera.b.c", "Bearer\ta.b.c", "Bearers a.b.c", "Basic a.b.c", "Bearer a b", "a.b.c", "a.b.c Bearer"])
    func `any other header is rejected`(header: String) {
        let error = #expect(throws: FirestoreError.self) { try token(header) }
        #expect(error?.code == .unauthenticated)
    }

    @Test func `a token is returned as it was sent`() throws {
        #expect(try token("Bearer gr\u{fc}n\u{1F333}") == "gr\u{fc}n\u{1F333}")
        let long = String(repeating: "x", count: 10_000)
        #expect(try token("Bearer " + long) == long[...])
    }

    @Test func `a call has at most one header`() throws {
        #expect(try token() == nil)
        #expect(throws: FirestoreError.self) { try token("Bearer a", "Bearer a") }
    }
}
