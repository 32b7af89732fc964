// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import FirestoreCore

@Suite struct ExpiryPolicyTests {
    /// OT-32
    @Test(arguments: [
        ("", "at", 0), ("a/b", "at", 0), ("__x__", "at", 0), ("sessions", "*", 0), ("sessions", "__name__", 0), ("sessions", "at", -1),
        ("sessions", "at", Int64(Int32.max) + 1),
    ] as [(String, String, Int64)])
    func `a policy with a bad collection group, field or offset is refused`(group: String, field: String, offset: Int64) {
        let error = #expect(throws: FirestoreError.self) {
            try ExpiryPolicy(collectionGroup: group, field: FieldPathSegments(field), offset: .seconds(offset))
        }
        #expect(error?.code == .invalidArgument)
    }

    @Test func `the offset has whole seconds, up to 2147483647`() throws {
        let field = FieldPathSegments("at")
        #expect(throws: FirestoreError.self) {
            try ExpiryPolicy(collectionGroup: "sessions", field: field, offset: .milliseconds(1_500))
        }
        for seconds in [0, 1, Int64(Int32.max)] {
            #expect(try ExpiryPolicy(collectionGroup: "sessions", field: field, offset: .seconds(seconds)).offset == seconds)
        }
    }

    @Test func `the index is that of the collection group, ascending`() throws {
        let policy = try ExpiryPolicy(collectionGroup: "sessions", field: FieldPathSegments(["life", "end"]))
        #expect(policy.index.description == "group sessions(life.end)")
    }

    @Test func `two fields of one collection group are refused`() throws {
        func policy(_ group: String, _ field: String) throws -> ExpiryPolicy {
            try ExpiryPolicy(collectionGroup: group, field: FieldPathSegments(field))
        }
        try ExpiryPolicy.check([policy("a", "x"), policy("b", "x")])
        let error = #expect(throws: FirestoreError.self) { try ExpiryPolicy.check([policy("a", "x"), policy("b", "x"), policy("a", "y")]) }
        #expect(error?.code == .failedPrecondition && error?.location == "a.y")
    }
}
