// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import FirestoreEngine
import FirestoreTokens
import TestSupport

@testable import FirestoreAccounts

/// Accounts in memory or on the server of `EngineStores`, with a clock and randomness that repeat, and cheap passwords.
final class TestAccounts: Sendable {
    static let project = "demo-accounts"
    /// Seconds since 1970.
    static let start: Int64 = 1_700_000_000
    static let key = Result { try SigningKey(pem: pem) }
    static let cheap = PasswordHash.Cost(logRounds: 1, blockSize: 1, parallelism: 1)
    static let address = "192.0.2.1"

    let clock = ManualClock(microseconds: start * 1_000_000)
    let mails = Mutex<[AccountMail]>([])
    let revoked = Mutex<[String?]>([])
    private let made = Mutex<AccountService?>(nil)

    init(_ policy: AccountPolicy, store: AccountStore? = nil) throws {
        var policy = policy
        policy.passwordCost = Self.cheap
        let generator = Mutex(SeededGenerator(seed: 14))
        let random = RandomSource { count in generator.withLock { state in (0..<count).map { _ in UInt8(truncatingIfNeeded: state.next()) } } }
        let service = try AccountService(
            policy, store: try store ?? Self.place(), key: try Self.key.get(), clock: clock, random: random,
            deliver: { [weak self] mail in self?.mails.withLock { $0.append(mail) } },
            onRevocation: { [weak self] id in self?.revoked.withLock { $0.append(id) } })
        made.withLock { $0 = service }
    }

    private static func place() throws -> AccountStore {
        if case .cluster(let cluster) = try EngineStores.place(), let store = try AccountStore.open(in: cluster, project: project) { return store }
        return try AccountStore.openInMemory(project: project)
    }

    /// Production with every provider.
    static func production(change: (inout AccountPolicy) -> Void = { _ in }) throws -> TestAccounts {
        var policy = AccountPolicy.production(project: project, issuer: "https://auth.example.com", actionURL: "https://auth.example.com/action")
        policy.providers = ["anonymous", "password", "emailLink", "custom"]
        change(&policy)
        return try TestAccounts(policy)
    }

    static func development() throws -> TestAccounts { try TestAccounts(.development(project: project)) }

    func service() throws -> AccountService {
        guard let service = made.withLock(\.self) else { throw AccountError("NO_SERVICE") }
        return service
    }

    var sent: [AccountMail] { mails.withLock(\.self) }
    var ended: [String?] { revoked.withLock(\.self) }

    func advance(_ seconds: Int64) { clock.advance(microseconds: seconds * 1_000_000) }

    /// What a server of these accounts verifies with.
    func verifier() throws -> TokenVerifier {
        let service = try service()
        return TokenVerifier([service.tokenIssuer], mode: service.policy.isDevelopment ? .development : .production, clock: clock)
    }

    private static let pem = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDcQ+n3cBAQPr2P
        suJRhaW69ySg46wdpg1XbmQmdnRq6V1CrenALsvmwwVeiyozC+DGs4P4C6f5DkWG
        kBd7+hmIWOgDN0rg/N4BR1zwTz1h7lV7K4Mku3ZOIp6TO4FBGHnFk8c96WH5w7yW
        Xc7VSf1SiiMkf1C4UeEv6VajJYSOX+vJj7dDuzwIKctHKe5TbvEALtoav5BAetAy
        DwlUkivDN74nDLtyho0agF/rVY8oIID7lB+OiiawUeWxr1Bqouqvgqj1Y3rCqOrO
        Rry+ULlcy+ypPVzTgdqP5pD2ax1qTGGU5vTZaNVTxjhYbIxi42f4aY30l80NSj0v
        E9CC4S/xAgMBAAECggEAAjdg+Z1YHQi7lLBDqpc0HOSvGrsVvJXi1xsQUQqCtv9u
        gbzxH97crH+QfJQ9BkbXofo1EQwxek4iZRVqthO0+XAvE/a0xz0mIPhKSyz58LQC
        qk7MltRXzzcWFkRMU3bLBWHceK8SLj6h5XevzMm9/bxP+JZbHiKtR9OSzIkUa5AO
        3kiwu93tQ4NWxQ4k7NnlBZtB7MF89q3jOz26smYqxCakTlTpSPR6svSAdkZuPbPa
        2Hj1m+uTUkiE1x1Xqei1XkMaz14zE96vlYaE7LT6kO5GejUqBuOGxWjCwKIEceN6
        NL8takJpL1Aqj73zAKvjAAAyQ1yX5lL3jPuH3PfiIQKBgQDyDuJ23rzLYHz7zp0c
        f8PD+Ks9DGk9GCIecyr7jY9mnaMOAb8y9Xgg3wLe6234aRTNJhNlSpfWhaW8afAc
        90+o1H8DqrC2MyCmyZj+N60N5PtVCdvW8JMzCI69ei4wqXrncfaH2x+3o1bBRqkd
        bRp7N0DdXLfUZKyYE07OnNMQ4QKBgQDo87JQzGOwE+vhu8rRx7RARQJ5Hf8WKwAY
        jAa/9typUJxZAMBGz8m5AIaWEuVTfFuVCdEnAsbo4o1AKDTqIHfDPOC6MWNgNK+d
        Mz984RTGggrobOIM9n3qG3sv/kfQIo5UIFDCnjkG5FfuF10w2SYZ86vZyzLTTR9z
        37w8TOIxEQKBgHpCxmQgEN/wtnBBZd3VMr4zRdqqACXZoLIcnaM9VycPjCIxA6/r
        iGeh/MM3yu3jtZwBFV7eFF9IVfQa1irrR5MQ8a6acnM009MqlFojKQeRltjXB/FC
        xjbKpb5Sji4KDIgGae0o4pZQrCsnU5gHWY7O07Z7dGaVCxAtAGsfjwRBAoGBAM4C
        PY5wwjQD2hV9wqZ0anZv0PkVSvHqwyHyK0H2aTweurWHEYNN3MILsfnj6gRDtKX/
        0YQjU46+U1YKeIkYf3EcVEy0woJg9XEa0il4z6uhc04KhHocPkwbU3yk7hMljCLf
        lSwXSq1KoGxBIzvAvY4zzKVFqsPsr0UE9m2JPHtRAoGAF7D9ksVJ/Jmr+lpqJq1C
        iiF2zNLBO+4tIXLxTW5RLuukE9/g4iverfgf2g+jdHZ/LlVTmq7Rz3nJNJOi/WlJ
        x0dMc4bfxbWh0eR9EDUA32HUyxOV4BdjYDJO9GAQIXQNCDlFKqy30LglNaz5lpuR
        rZ+VC0ZPpwrv5idyIoQinPE=
        -----END PRIVATE KEY-----
        """
}

/// The code of the error that a call ends with; nil if it succeeds.
func code(_ body: () async throws(AccountError) -> Void) async -> String? {
    do throws(AccountError) {
        try await body()
        return nil
    } catch {
        return error.message
    }
}
