// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import FirestoreAuthentication

struct TokenFormTests {
    @Test(arguments: [
        ("a.b.c", true, false), (".", true, false), ("", false, false), ("abc", false, false), ("ya29.a", true, true), ("ya29", false, false), ("xya29.", true, false),
    ])
    func `the form of a token shows its origin`(token: String, hasDots: Bool, isGoogles: Bool) {
        #expect(token[...].hasDots == hasDots && token[...].isAccessTokenOfGoogle == isGoogles)
        // A part of a longer text.
        let part = ("." + token + ".").dropFirst().dropLast()
        #expect(part.hasDots == hasDots)
    }
}
