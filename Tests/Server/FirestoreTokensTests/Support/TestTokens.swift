// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTokens
import HearthBase

/// Keys and tokens for tests. The keys open nothing.
enum TestTokens {
    static let project = "demo-tokens"
    /// Seconds since 1970.
    static let now: Int64 = 1_700_000_000
    static let first = Result { try SigningKey(pem: firstPEM) }
    static let second = Result { try SigningKey(pem: secondPEM) }

    static func clock(after seconds: Int64 = 0) -> ManualClock { ManualClock(microseconds: (now + seconds) * 1_000_000) }

    /// The claims of a Firebase ID token, with changes; nil removes a claim.
    static func claims(_ changes: [(name: String, value: JSON?)] = []) -> [(name: String, value: JSON)] {
        var claims: [(name: String, value: JSON)] = [
            ("iss", .string("https://securetoken.google.com/" + project)), ("aud", .string(project)), ("sub", .string("alice")),
            ("iat", .number(now - 10)), ("auth_time", .number(now - 20)), ("exp", .number(now + 3_590)), ("role", .string("editor")),
        ]
        for change in changes {
            claims.removeAll { equalUTF8($0.name, change.name) }
            if let value = change.value { claims.append((change.name, value)) }
        }
        return claims
    }

    /// A token with any header and signature.
    static func token(header: String, claims: [(name: String, value: JSON)] = claims(), signature: [UInt8] = []) -> String {
        [[UInt8](header.utf8), JSON.object(claims).bytes(), signature].map(Base64.encodeForURL).joined(separator: ".")
    }

    static func keySet(_ keys: SigningKey...) throws -> VerificationKeySet { try VerificationKeySet(document: SigningKey.document(of: keys).bytes()) }

    static let firstPEM = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCjzizJiJ7FgtRx
        h7H55njrjaQWArOEAe4i/DPVbtb+C2KQ3PVvTq4MUou3PcGDp/7l3ayXVDRFGEuy
        TJBlnMDzyid5ObA2TL3yZRv7C2icPxGZ+4McJWVo7PB52JRXd1pQmuAZOOSRMbK5
        nf/QoZIq+BJez4+omGNbUDzFzm2tOuFgDdaOCsPpP9B0qtixe0yO9MKpTeqA3dt9
        bIZtnkHcHh2l1ubG+EHUvvpv3INorfsmSbYH2tO7UpG/8DrmFtLrRIlfihnJEMIs
        Wj3gCnL9CST9JRdLLE6MBBNJqngTDBJzWDuOU6mGJLgx2rs5WWin6NgPBDrVTuBl
        keYd+sthAgMBAAECggEAGVTuGjCVlSfZYMFCZcodkxfxczHxvw1pXWGxRmWAvALY
        uFxjXFZHlkJBtxHG1mxpf/TbFv//oVvTgPxULFKkiE8P8bBZLtyJV24JeLZX9CnQ
        uAZsTTL/Ts2tlrpGnownnGWHGH9y4X1VDV2AzSvfZeO9O4pPxhvi6aEr9M8qqOo9
        sWzZ9UVY9NV14Es0EsGFlUIHF3V/RH43AU/26TqpBeUSuJY5R5sgl97pY6ZSMSWU
        EiE760jsio8+CiLiztv48vSkS/fK5WzTfmcgCRVDWYJFzrq3DaFOa6/Xwv4zKjHC
        kmWn5y3feddXEMZmMHC6FltyqhdRdisYxxJxUKQh0QKBgQDZwV4ETyEuJRtNrKkZ
        K6LqMHaH3atD5En4JtRCZ07834QlXYDDPYXE8/uqplvKl+Z1WwGWf0yIq1pLoMp5
        02yLY+5F9yQHZm74slk4sTViZ3Gz2vS6Jrx4ecEvbsu5ynFDqSoHJZ8LT5VoOI19
        46FvynhYC7oVEsXtd7QguO4kLQKBgQDAkyEzAokj8czlC4WqqPCzOo8x5FlbKcnh
        E684c31pS48EY+U8BGXT+Jg9DldGog5X5+R5pPnmpUgAXztAQihaGIk6x3IzFxbd
        Uwn54ww4Mjtwzh0fOUqtzwPh/WzloI73mraLlP1/u5QQPhH7nW5ao/YyBlI3Z1X6
        Rngk8ooAhQKBgG1AYBxHWz1crqs08o5HX3CiKgYWyGPCuP4A9UPvsyiaOCHLHNxY
        FLJxOxYuayVlOuIsa8qHSe3UEvSY0p123yG8XILL8U6pLQon6S3RcxhREDINq/Vt
        k+faJnvW2e34TQWGbSiyzm4NWse0gADmYUvGSMTb9Vu3VIjFIyG7xvdtAoGBAIit
        ZBjCKfea/GNsBBiWAxAR9ePhQBJV3HSk9e3I+i+rcvwYsnAgZu1FOTfMX+E/z5JQ
        gXZcwwkSMcIh1PnMertHQs63E7RzJMU81I3IubmA3XM4tq6ciQZHMWhJ5+oqRI4z
        /m+e9TSdO38zrqu4lsQ6LtheaCfubbVOIqOGiK/JAoGAfOyBWXMh8jNzsRCzWBpy
        NZ7qH7K/8j1MMr6PsNAFOCYRpixqutwY3/0t15Hmb9nUjFrpOWfMUDQBDIM3nNS9
        xgZiMCfIMPk9B698V9l4ufdQgX+XGUyQuTNgqG/whZpHt5SlG6FjGkCBsZ8Yo00Z
        9e16QIvmL9HeSayVTaFKQFY=
        -----END PRIVATE KEY-----
        """

    static let secondPEM = """
        -----BEGIN PRIVATE KEY-----
        MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQCdJFDLJLX3jzlL
        NTH47ytEh/Hyg8oGpV9+6YU5YErMbNjQqPmEfgFHeghu9NxyDWO2cDNkN5SFTafZ
        NOtKDay/clt925MnA/mqgoeC1DxaNLJ8kHTGnee3LKomQjhm0hpIRipERvJR7m/4
        c4PQS2INgkQWz74qsrBt8RFLqDQluTpDCE2CQ4U0Uz9U1C+/4eLGPoZhIk7F63xb
        3DcU5N93R+LAJ9eNb/0HwwqAX/9ABeUkcDRW6tRJCx3W1/XIEHrnSP5WsYusC+VS
        xMG6OgA/is1OHm4+VpCFiUXEagdEKzy7cKpvyg3x0l44JT1ngQ29vUEUK50c1gRS
        REYwo7H/AgMBAAECggEARZcSjJQKXcK4rby2D7bjI2tM04hXjI/p9Ys264zgMx20
        +tsJ/QnMSToayAB6K6wQT3fq2mPeyxXz0jYkSNw7d2EOcXMu/KU/CKrbli2lOJGD
        xbQ3csn1FuKZy22iCq7a4szn5OrCX1RHk/CcHD92AeOBgdSoM8KEbXvHnAi2Z0mo
        p6Bq34g6QwyndpMj1wrlr7gk9YOVK87EiPUTnOZT4uGZN7LZNdAb1pNugkVagLi/
        IUjqMHljMGPHIY+UsIsXHpLz83dv/jyjHdWYw87ToGw4YZ+EL13j5oHdCwgagkHM
        GDXL/cZ1PBl1ErdP3OHIbZckm1+ikkNeN8VQe0wK+QKBgQDdWqmPXQy/Ysk6aqGb
        1UmGcKgDZd4livECZqe3KR+zCDIed9E9A1fAB4be4f76xN+95Gr9UBwZRkZR/xWg
        1QeVEMmXgM835KMJvVUCRczc+IaIMRD7Sv5iyQxD3ld+KE9MlHnXM0xB8cpnmFYA
        7RIXnIHES9/7YU1d9as3P8mnEwKBgQC1vMKs9prlpkrivemyy7CsMMW0Y36QoXck
        wx3KW6+3B6+PyeK++vOJ9Fwye9R2oK2u2UcZv2QVbsJvwv05hmk/gs6orXAxjtQq
        etGJVj7wxv74dIJ0srTc8eqtg1edGheh++uu1mXd1JeoeOhF1c8e6/f2zUknVsSU
        3oeAzyuK5QKBgCKtYGDoR+X3uOSg7d525ITeQ0P9AndJNAaXRHEKTUAD6a4iQTJY
        wrd/tl5Wc1af3xllnmk+0pgXDU8tMhs3JG/y6FIGyO/NrskI0zd+7eA0Qwc1AJ8N
        mZqqOnSrcXN/JyUtIYVYMPsnwPjHwbl1al8ukpnI9TbxgGhW41LNeG7nAoGAeWdz
        lR/YMfl4pSfA6lPv3ddm+y5L6koy0TgWuoutQlO8EA4JjxMNhebbgE4AjI6h99/m
        A2k7bqXi9c4IY1lLDcZQT5YtEK4dRZNuTpRyz13gDhGm5FZNRBvHbcoDyUsY5njn
        5JAM1Lej6EN8xsoh5sIzj4driwAHqntNgdrjd5ECgYAvQQGhZP069HYOGQeYIBlR
        UQVlb0mGZfiBoHMXa3OwpLVzXVM2/P4jzBUiuil4MNS9gM+j4BJYV4UkVuJu7Cgj
        gL6N+TY9drPvTBffHhWrcfJ7GhLXjUCh+b9idGTPl/iJV8YttLszYyUZNytvYrhI
        2AANJPm2ExgtUQRh9NZhJg==
        -----END PRIVATE KEY-----
        """
}
