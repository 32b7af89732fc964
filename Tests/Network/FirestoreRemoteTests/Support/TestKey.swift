// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import FirestoreCore
import Foundation
import HearthBase
import TestSupport

/// The RSA key of a service account that does not exist. For tests only: it opens nothing. (Making one takes an unoptimised
/// build ten seconds.)
struct TestKey: Sendable {
    let key: _RSA.Signing.PrivateKey

    static let account = "tester@demo-keys.iam.gserviceaccount.com"
    static let shared: Result<TestKey, any Error> = Result { TestKey(key: try _RSA.Signing.PrivateKey(pemRepresentation: pkcs8)) }

    static func get() throws -> TestKey { try shared.get() }

    /// A key file as the console writes it.
    func file(tokenURI: String, pem: String? = nil, change: (inout [(name: String, value: JSON)]) -> Void = { _ in }) -> String {
        var members: [(name: String, value: JSON)] = [
            ("type", .string("service_account")), ("project_id", .string("demo-keys")), ("private_key_id", .string("key-1")),
            ("private_key", .string(pem ?? Self.pkcs8)), ("client_email", .string(Self.account)),
            ("client_id", .string("1")), ("token_uri", .string(tokenURI)),
        ]
        change(&members)
        return JSON.object(members).text(.indented)
    }

    /// Header and claims of a token, if the key has signed it.
    func verify(_ token: String) throws -> (header: JSON, claims: JSON)? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, !token.contains("="), let header = Base64.decode(parts[0]), let claims = Base64.decode(parts[1]),
            let signature = Base64.decode(parts[2])
        else { return nil }
        let isValid = key.publicKey.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: Data(signature)), for: Data("\(parts[0]).\(parts[1])".utf8),
            padding: .insecurePKCS1v1_5)
        return isValid ? (try JSON(header), try JSON(claims)) : nil
    }
}

extension TestKey {
    /// As key files have it.
    static let pkcs8 = """
        -----BEGIN PRIVATE KEY-----
        MIIEvwIBADANBgkqhkiG9w0BAQEFAASCBKkwggSlAgEAAoIBAQDRGZTdINp69Bj9
        QKe+2QDVj2ho4p9Z1U9F5gO8QgDEblT96KO2fpc+U5R/OvFxr7elPJViwz9sZii2
        sODatg5erSErOazGrlc308rtOE6Jyjt8hus6ZNO01QlNOqDjwe0WXOFhAzLLV5zq
        M+1EGFH3aW5GKvdRhjK5+CMIEBV6KaIpZuxrb5h/RKGnOx037DAJ4lYNv8ENDJW3
        /sbKaGzZ1Q4NCOOqDtY3QlHE2kSfUwo9y9tlZ4M3Tt1ilLwHUawGLBNSgTPutTcX
        MTt6UvuTEux1eJwXCciblVoPhAHMIztJ724vINVYQC6reduJugDVCeYW1Mx8MlVf
        8tJxwK4ZAgMBAAECggEAAvgUMjmErKueY4TMlPcvgQWZjI+D00jy4haggM0mbGOd
        X8kZWQHBaHktZSSYJNGwGUySM1rh7pchQ4Q6fyFUzfQzCD8RuvT8obS6mQvcTqFq
        3vgd+AA4qT5mQXzZ574BtzHZex29fDmgLZgQHPAXXg/DnEOA+HaZh6TUUrZPjcKQ
        WTA5bH/DQYKckWP4fWGUqbEEhOvT1pI6DI+7B4Cn9s1GqocmJGR2o1utxJYJFLqA
        iSNo6Jo62O/lsIh4dAbnwQCxfdS/5TfroTvsffYoNyCwL8yYQsq95KMel3BWh5ia
        3HM167Mx6cVaZe9f6Oyf3H7r5Rz7IGCgliogZW3G4QKBgQD1NiSdMzNtINNEAHex
        x4PSD9VokMtQfX4qRHfjFa8ea91MbqQmITCu6P4b8rby3tZUpntTROjBo4e6lTan
        qO+kpYW7ugH7Bx6L0FwVvCDpKcELQsB7myyzXBtQFuPGLKylhN3xEcyJlI8Z/kiK
        +HXNXqWh/3EGWxlTskgh36pSYQKBgQDaTLU/zQMbDl7bkgYoPSTvZs8sBWebcTAt
        2J4W9+Zsw43BfmxCQGJ181W0y6NIoOdR56GCBfOHWtV7XKZfVXJeOViGc7m/x9S3
        0ehj6ZQy+TkW3dCrd6WgkFFg2ho6K1PhHHDIurrGA5CuwXYMriRwHb0sbiKOyLNX
        B66s+qjmuQKBgQCPm+wJnOjraqQQWW3AUqbjKZ7EpLhOJZD0VDEab6Kl4Go0zz+X
        jSyj45Se7aEz0EoaPX5QoDTo40skfSsLOidPeBlAfomWaO7810R2/j0QEQIcBDYS
        riiZysG8QAuaDqP2NEB/ZPszQCwm/wOhUC493saGf8HEBSpqGCminQl1QQKBgQCU
        vxABmUA0f2ZDVwy6/m7cccFYzZX7ZPTfSGrwW5q3IcjFv88klZqBpH0R5HAuXPVB
        6gMzBbsaz9oHZOo4q5Byg8C+XLyE4TUgy/b9nXtOAGPWIO6+55gEAFJzHCoi2MMe
        8LIpFJOPuX4slcZKfZ52hs0QKTuC717EPofXdjUAgQKBgQDqoie+Eh/7AdxUOqRD
        yW3Xe40RKGlAoDVZS2phRMBYF0P12rv0l1vMOBA8/NQFxOTcJOZtJO9nmGLdBDaJ
        PsemRqROtJFeeP5gnf+LyW8W1YWT6lCxvELxvYdZCVNtnbxKyNysDUn2aL1L2Xuv
        mWu7/whXcjVGvBwIoNZeXizsaQ==
        -----END PRIVATE KEY-----
        """

    /// The key in the form of PKCS #1.
    static let pkcs1 = """
        -----BEGIN RSA PRIVATE KEY-----
        MIIEpQIBAAKCAQEA0RmU3SDaevQY/UCnvtkA1Y9oaOKfWdVPReYDvEIAxG5U/eij
        tn6XPlOUfzrxca+3pTyVYsM/bGYotrDg2rYOXq0hKzmsxq5XN9PK7ThOico7fIbr
        OmTTtNUJTTqg48HtFlzhYQMyy1ec6jPtRBhR92luRir3UYYyufgjCBAVeimiKWbs
        a2+Yf0ShpzsdN+wwCeJWDb/BDQyVt/7Gymhs2dUODQjjqg7WN0JRxNpEn1MKPcvb
        ZWeDN07dYpS8B1GsBiwTUoEz7rU3FzE7elL7kxLsdXicFwnIm5VaD4QBzCM7Se9u
        LyDVWEAuq3nbiboA1QnmFtTMfDJVX/LSccCuGQIDAQABAoIBAAL4FDI5hKyrnmOE
        zJT3L4EFmYyPg9NI8uIWoIDNJmxjnV/JGVkBwWh5LWUkmCTRsBlMkjNa4e6XIUOE
        On8hVM30Mwg/Ebr0/KG0upkL3E6hat74HfgAOKk+ZkF82ee+Abcx2XsdvXw5oC2Y
        EBzwF14Pw5xDgPh2mYek1FK2T43CkFkwOWx/w0GCnJFj+H1hlKmxBITr09aSOgyP
        uweAp/bNRqqHJiRkdqNbrcSWCRS6gIkjaOiaOtjv5bCIeHQG58EAsX3Uv+U366E7
        7H32KDcgsC/MmELKveSjHpdwVoeYmtxzNeuzMenFWmXvX+jsn9x+6+Uc+yBgoJYq
        IGVtxuECgYEA9TYknTMzbSDTRAB3sceD0g/VaJDLUH1+KkR34xWvHmvdTG6kJiEw
        ruj+G/K28t7WVKZ7U0TowaOHupU2p6jvpKWFu7oB+wcei9BcFbwg6SnBC0LAe5ss
        s1wbUBbjxiyspYTd8RHMiZSPGf5Iivh1zV6lof9xBlsZU7JIId+qUmECgYEA2ky1
        P80DGw5e25IGKD0k72bPLAVnm3EwLdieFvfmbMONwX5sQkBidfNVtMujSKDnUeeh
        ggXzh1rVe1ymX1VyXjlYhnO5v8fUt9HoY+mUMvk5Ft3Qq3eloJBRYNoaOitT4Rxw
        yLq6xgOQrsF2DK4kcB29LG4ijsizVweurPqo5rkCgYEAj5vsCZzo62qkEFltwFKm
        4ymexKS4TiWQ9FQxGm+ipeBqNM8/l40so+OUnu2hM9BKGj1+UKA06ONLJH0rCzon
        T3gZQH6Jlmju/NdEdv49EBECHAQ2Eq4omcrBvEALmg6j9jRAf2T7M0AsJv8DoVAu
        Pd7Ghn/BxAUqahgpop0JdUECgYEAlL8QAZlANH9mQ1cMuv5u3HHBWM2V+2T030hq
        8FuatyHIxb/PJJWagaR9EeRwLlz1QeoDMwW7Gs/aB2TqOKuQcoPAvly8hOE1IMv2
        /Z17TgBj1iDuvueYBABScxwqItjDHvCyKRSTj7l+LJXGSn2edobNECk7gu9exD6H
        13Y1AIECgYEA6qInvhIf+wHcVDqkQ8lt13uNEShpQKA1WUtqYUTAWBdD9dq79Jdb
        zDgQPPzUBcTk3CTmbSTvZ5hi3QQ2iT7HpkakTrSRXnj+YJ3/i8lvFtWFk+pQsbxC
        8b2HWQlTbZ28SsjcrA1J9mi9S9l7r5lru/8IV3I1RrwcCKDWXl4s7Gk=
        -----END RSA PRIVATE KEY-----
        """

    /// 1024 bits.
    static let tooSmall = """
        -----BEGIN RSA PRIVATE KEY-----
        MIICXAIBAAKBgQCvBIKsZ9AmUmtXrSb+NX4WE52QG0kKlW76KBjtmJHCvQDsVmYy
        v0AqdODR90+MRxJCUJwqD7phrq+0MGP1y1WCU8OvQdEsgJGga8RDddOAbsVm9x0Y
        fkmNm7UUm9sRKqmVlZIpoa+7lsboPo0dwRWcrI4YkgAXFxA30u/YAh26SQIDAQAB
        AoGATcVRU88lvYGuVV2KEDgw+RpqT5jwUhWpJNwgh6PeUYyvFlYmP7Kgjr01Edg1
        rv397R3o5v/qMHHxfb5rDNP4AJ+dBn/UNmJY3Iu2OyNLvGk2XSTj1JprGKHnP4pP
        V+ugBc3HpZnbmKg+U5yGwBH2c+D6cc4kHXWRJBGC26ITS6ECQQDU5Pg7fMU9LrJo
        36hdRX34rLI4MRPsryQ9KxHPUwkecUvltXiN7iUsjh0iC0+AL9UJqc8efgNytgOx
        CBcepKgVAkEA0nRCfSwj+ZrQA0Ff2fU7QgOffyV1yiEgjoTvUqaRZrX7HkbjPZ/G
        PLsJSeGHth/emjQrRtW/zM0rng4/CwpCZQJAGQkwM/axT0edjX230/gnH0ZX0wna
        ePwDu/nDp2jxapYSQdo8ahx2XK39uRIxcDavy+ofREu3ZhcHihsUdPMSHQJAO4RR
        gWDIU8CqbyE/4D3wIj0wEB8h7qXrtSJ3JCKjIC7685cMkNLslyQ1/kTfwmvE4ks6
        qe+tLFghq7NPtOmT2QJBAIyZKu5AuH7O4wRgSwvj/jP+Y87xBOdOqCc05vm2at8U
        7z+9YbMdJvQtCfVE06nmCgWPxtyNYbCSK0qXdfrHwIs=
        -----END RSA PRIVATE KEY-----
        """
}

extension JSON {
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var whole: Int64? {
        if case .number(let text) = self { Int64(text) } else { nil }
    }
}
