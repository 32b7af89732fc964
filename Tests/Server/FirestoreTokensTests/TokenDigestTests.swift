// SPDX-License-Identifier: Apache-2.0
import FirestoreTokens
import Foundation
import Testing

struct TokenDigestTests {
    @Test func `a token has one digest, however its text is stored`() {
        let text = "eyJh.eyJz.c2ln"
        let part = ("Bearer " + text).dropFirst(7)
        let foreign = NSString(string: text) as String
        #expect(TokenDigest(text) == TokenDigest(part) && TokenDigest(text) == TokenDigest(foreign))
        #expect(TokenDigest(text) != TokenDigest(text + "x") && TokenDigest("") != TokenDigest("x"))
    }

    @Test func `texts that are equal as strings and differ in their bytes are different tokens`() {
        #expect(TokenDigest("\u{E9}") != TokenDigest("e\u{301}"))
    }
}
