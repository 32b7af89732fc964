// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase
import Testing

@testable import FirestoreAccounts

/// Passwords that other systems have hashed. The hashes were made by Python's bcrypt 5, hashlib and cryptography 48.
@Suite(.timeLimit(.minutes(5)))
struct ImportedHashTests {
    static let bcrypt: [(password: String, hash: String)] = [
        ("secret1", "$2b$04$DDqxu6ddrmuJ3bgZLL6o3uHcLpye54yWyKJMfXOqDoxjvsg.7NfM6"), ("secret1", "$2a$04$......................Wc.5Vt.KX.TqPPioik1.ZRbkl7Enp4q"),
        ("", "$2b$04$3MhamiDYH9RMIvduQIPp5.tgLAL/0Td9SMD/jRHS43i0VAv6Z4O1q"), ("pässwörd ✓", "$2b$05$syZ9BaK5j.VFCDoEhJDdJu77kt9hvKiYVS5MMmeG3wFVVORxzfFUm"),
        (String(repeating: "x", count: 80), "$2b$04$MB.3dPQIzBdUJRV4OiVoSeE7Sqrdjcn6EOFPEQS0T3blm1pKJNQ7."),
        (String(repeating: "a", count: 72) + "c", "$2b$04$ZUvDNkv9acG2XSkQgY2pseDuZUtXOoEO75qCz8vE6IkbeMFLPgOzO"), ("U*U", "$2y$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"),
    ]

    @Test(arguments: bcrypt.indices) func `a hash of bcrypt matches its password only`(index: Int) {
        let row = Self.bcrypt[index]
        #expect(PasswordHash.isHash(row.hash) && PasswordHash.matches(row.password, row.hash, cost: TestAccounts.cheap))
        #expect(!PasswordHash.matches("b" + row.password, row.hash, cost: TestAccounts.cheap))
    }

    static let parameters: [(body: String, password: String, salt: String, hash: String)] = [
        // The example of Firebase's own description of its hash.
        (
            #"{"hashAlgorithm":"SCRYPT","signerKey":"jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==","saltSeparator":"Bw==","rounds":8,"memoryCost":14}"#,
            "user1password", "42xEC+ixf3L2lw==", "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="
        ),
        (
            #"{"hashAlgorithm":"SCRYPT","signerKey":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0-Pw==","saltSeparator":"Bw==","rounds":1,"memoryCost":4}"#,
            "pässwörd ✓", "c2FsdDEyMzQ=", "82pDEllgO80ScCaaV68DnCDaWwPNHC4lYkF1X2dnYxKPvR_eOddsOQkNxc9FB1mxjwF2uGe0UXfVjNCdsEGDaQ=="
        ),
        (#"{"hashAlgorithm":"PBKDF2_SHA256","rounds":1000}"#, "pässwörd ✓", "c2FsdDEyMzQ=", "ier_c0U5LdIj2uUPZYzklgMsm09OUC82wLNwo7DlsfA="),
        (#"{"hashAlgorithm":"PBKDF_SHA1","rounds":"1000"}"#, "secret1", "c2FsdDEyMzQ=", "V03UD3G3Sa0cQuVebIs-1fxt3I0="),
        (#"{"hashAlgorithm":"PBKDF_SHA1","rounds":1000}"#, "secret1", "c2FsdDEyMzQ=", "V03UD3G3Sa0cQuVebIs-1fxt3I2qYu0OHtrAHQzVA1cMklbCxJ280ZBMr_vc66LFnyJpH_sfzKhjmu7RIcPp9A=="),
        (
            #"{"hashAlgorithm":"STANDARD_SCRYPT","cpuMemCost":16,"blockSize":2,"parallelization":3,"dkLen":64}"#, "secret1", "c2FsdDEyMzQ=",
            "_hJKVQxDVchRVJTqDW_ihmg6XaC4gm8S3nOFanvzXrKITPzF8tXYL2aSQe8x73HA8hguq2PtrYtkQK1zCnNAfg=="
        ),
        (#"{"hashAlgorithm":"BCRYPT"}"#, "secret1", "", Base64.encodeForURL(Array("$2b$04$DDqxu6ddrmuJ3bgZLL6o3uHcLpye54yWyKJMfXOqDoxjvsg.7NfM6".utf8))),
    ]

    @Test(arguments: parameters.indices)
    func `an imported password signs in, and its hash is replaced`(index: Int) async throws {
        let row = Self.parameters[index]
        let accounts = try TestAccounts.production()
        let service = try accounts.service()
        let user = try JSON(#"{"localId":"u1","email":"a@b.c","passwordHash":"\#(row.hash)","salt":"\#(row.salt)","lastSignedInAt":"1600000000000"}"#.utf8)
        #expect(try await service.importAccounts([user], hashes: try HashImport(try JSON(row.body.utf8))).map(\.message) == [])
        let imported = try #require(try await service.account(id: "u1"))
        #expect(imported.lastLogin == 1_600_000_000_000 && imported.passwordHash.map { PasswordHash.isHash($0) && !PasswordHash.isCurrent($0, cost: TestAccounts.cheap) } == true)
        let wrong = await code { () throws(AccountError) in _ = try await service.signIn(email: "a@b.c", password: row.password + "x", from: "x") }
        let unchanged = try await service.account(id: "u1")
        #expect(wrong == "INVALID_LOGIN_CREDENTIALS" && unchanged?.passwordHash == imported.passwordHash)
        let session = try await service.signIn(email: "a@b.c", password: row.password, from: "x")
        let replaced = try #require(try await service.account(id: "u1"))
        #expect(replaced.passwordHash.map { PasswordHash.isCurrent($0, cost: TestAccounts.cheap) } == true && replaced.validSince == imported.validSince)
        _ = try await service.signIn(email: "a@b.c", password: row.password, from: "x")
        // Sessions from before the replacement continue.
        _ = try await service.refresh(session.refreshToken, from: "x")
    }

    @Test func `sign-ins at the same time as the first one succeed`() async throws {
        let service = try TestAccounts.production { $0.budgets = .unlimited }.opened()
        let user = try JSON(#"{"localId":"u1","email":"a@b.c","passwordHash":"\#(Self.bcrypt[0].hash)"}"#.utf8)
        #expect(try await service.importAccounts([user]).isEmpty)
        let errors = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<16 {
                group.addTask { await code { () throws(AccountError) in _ = try await service.signIn(email: "a@b.c", password: "secret1", from: "x") } }
            }
            return await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(errors.count == 16 && errors.allSatisfy { $0 == nil }, "\(errors)")
    }

    /// A file of accounts must not make sign-ins take minutes, or gigabytes.
    static let refused = [
        "$2b$15$DDqxu6ddrmuJ3bgZLL6o3uHcLpye54yWyKJMfXOqDoxjvsg.7NfM6", "$2b$03$DDqxu6ddrmuJ3bgZLL6o3uHcLpye54yWyKJMfXOqDoxjvsg.7NfM6",
        "$2x$04$DDqxu6ddrmuJ3bgZLL6o3uHcLpye54yWyKJMfXOqDoxjvsg.7NfM6", "$2b$04$DDqxu6ddrmuJ3bgZLL6o3uHcLpye54yWyKJMfXOqDoxjvsg.7NfM", "$2b$4$", "$2b$04$ü",
        "pbkdf2$sha256$2000001$c2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "pbkdf2$sha256$0$c2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "pbkdf2$sha256$-1$c2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "pbkdf2$md5$1$c2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "pbkdf2$sha256$1$c2FsdA$", "pbkdf2$sha1$1000000$c2FsdA$" + String(repeating: "A", count: 86), "firebase$9$14$AAAA$AAAA$AAAA$AAAA", "firebase$8$15$AAAA$AAAA$AAAA$AAAA",
        "firebase$8$14$AAAA$AAAA$AAAA$AAAAAAAA", "firebase$8$14$AAAA$AAAA$$", "firebase$99999999999999999999$14$AAAA$AAAA$AAAA$AAAA",
        "scrypt$20$8$1$AQID$" + String(repeating: "A", count: 43), "scrypt$14$8$16$AQID$" + String(repeating: "A", count: 43), "scrypt$14$64$16$AQID$" + String(repeating: "A", count: 43),
    ]

    @Test(arguments: refused) func `a hash that costs too much or is malformed is not a hash`(text: String) { #expect(!PasswordHash.isHash(text)) }

    static let problems: [(body: String, says: String)] = [
        (#"{"hashAlgorithm":"MD5"}"#, "SCRYPT, STANDARD_SCRYPT, BCRYPT, PBKDF_SHA1, PBKDF2_SHA256"), (#"{"hashAlgorithm":7}"#, "INVALID_HASH_ALGORITHM"),
        (#"{"hashAlgorithm":"SCRYPT","rounds":8,"memoryCost":14}"#, "signerKey"), (#"{"hashAlgorithm":"SCRYPT","signerKey":"AAAA","rounds":9,"memoryCost":14}"#, "between 1 and 8"),
        (#"{"hashAlgorithm":"SCRYPT","signerKey":"?","rounds":8}"#, "Base64"), (#"{"hashAlgorithm":"STANDARD_SCRYPT","cpuMemCost":1000}"#, "power of two"),
        (#"{"hashAlgorithm":"PBKDF2_SHA256","rounds":"many"}"#, "whole number"),
    ]

    @Test(arguments: problems.indices) func `parameters that cannot be used are rejected before anything is imported`(index: Int) throws {
        let row = Self.problems[index]
        let error = #expect(throws: AccountError.self) { try HashImport(try JSON(row.body.utf8)) }
        #expect(error?.message.contains(row.says) == true, "\(error?.message ?? "")")
    }

    @Test func `accounts with an unknown hash are reported, the others are imported`() async throws {
        let service = try TestAccounts.production().opened()
        let users = try [
            #"{"localId":"a","passwordHash":"AAAA"}"#, #"{"localId":"b","passwordHash":"$2b$31$DDqxu6ddrmuJ3bgZLL6o3uHcLpye54yWyKJMfXOqDoxjvsg.7NfM6"}"#, #"{"localId":"c"}"#,
        ].map { try JSON($0.utf8) }
        let problems = try await service.importAccounts(users)
        #expect(problems.map(\.index) == [0, 1] && problems.allSatisfy { $0.message.contains("hash algorithm") })
        let hashes = try HashImport(try JSON(#"{"hashAlgorithm":"PBKDF2_SHA256","rounds":900000000}"#.utf8))
        let costly = try await service.importAccounts([try JSON(#"{"localId":"a","passwordHash":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","salt":"AAAA"}"#.utf8)], hashes: hashes)
        let count = try await service.count()
        #expect(costly.first?.message.contains("cost") == true && count == 1)
    }
}
