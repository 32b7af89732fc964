// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase
import Testing

@testable import FirestoreAccounts

struct PasswordHashTests {
    @Test func `a hash matches its password only`() throws {
        let hash = try #require(PasswordHash.make("secret1", salt: [1, 2, 3], cost: TestAccounts.cheap))
        #expect(hash.hasPrefix("scrypt$1$1$1$AQID$") && !hash.contains("secret"))
        #expect(PasswordHash.matches("secret1", hash, cost: .standard))
        #expect(!PasswordHash.matches("secret2", hash, cost: .standard))
        #expect(!PasswordHash.matches("", hash, cost: .standard))
    }

    @Test func `the key is scrypt's`() {
        // RFC 7914, section 12: P = "pleaseletmein", S = "SodiumChloride", N = 16384, r = 8, p = 1, the first 32 bytes.
        let hash = PasswordHash.make("pleaseletmein", salt: Array("SodiumChloride".utf8), cost: .init(logRounds: 14, blockSize: 8, parallelism: 1))
        let key: [UInt8] = [
            0x70, 0x23, 0xBD, 0xCB, 0x3A, 0xFD, 0x73, 0x48, 0x46, 0x1C, 0x06, 0xCD, 0x81, 0xFD, 0x38, 0xEB, 0xFD, 0xA8, 0xFB, 0xBA, 0x90, 0x4F,
            0x8E, 0x3E, 0xA9, 0xB5, 0x43, 0xF6, 0x54, 0x5D, 0xA1, 0xF2,
        ]
        #expect(hash?.hasSuffix(Base64.encodeForURL(key)) == true)
    }

    static let damaged: [String?] = [nil, "", "scrypt", "scrypt$1$1$1$AQID$AAAA", "scrypt$40$8$1$AQID$" + String(repeating: "A", count: 43), "plain$a$b$c$d$e"]

    @Test(arguments: damaged) func `text that is not a hash matches nothing`(text: String?) {
        #expect(!PasswordHash.matches("secret1", text, cost: TestAccounts.cheap))
    }
}
