// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreRPC

/// Where a server is and how to connect to it: the result of a host in the settings, an environment variable or `--server`.
///
/// `RemoteEndpoint.server("127.0.0.1:8080")` is `hearth serve` or an emulator, `RemoteEndpoint.cloud()` Google's service; `open`
/// returns one of its databases.
package struct RemoteEndpoint: Sendable, Hashable {
    package var host: String
    package var port: Int
    /// An encrypted connection. The certificate must be trusted by the system, or by `trustFile`.
    package var usesTLS: Bool
    /// A PEM file with the certificates to trust instead of the system's.
    package var trustFile: String?
    package var credentials: Credentials

    /// `credentials`: nil for the application default credentials at Google's hosts, and for none at others.
    package init(
        host: String, port: Int, usesTLS: Bool, trustFile: String? = nil, credentials: Credentials? = nil
    ) {
        self.host = host
        self.port = port
        self.usesTLS = usesTLS
        self.trustFile = trustFile
        self.credentials = credentials ?? Self.defaultCredentials(host: host, usesTLS: usesTLS)
    }

    /// `host:port`, as in `FIRESTORE_EMULATOR_HOST`; an IPv6 address is enclosed in brackets. With TLS the port is optional and defaults
    /// to 443.
    package init(
        address: String, usesTLS: Bool = false, trustFile: String? = nil, credentials: Credentials? = nil
    ) throws(FirestoreError) {
        let (host, port) = try Self.split(address, defaultPort: usesTLS ? 443 : nil)
        self.init(host: host, port: port, usesTLS: usesTLS, trustFile: trustFile, credentials: credentials)
    }

    /// A server named by `host:port`.
    package static func server(
        _ address: String, usesTLS: Bool = false, trustFile: String? = nil, credentials: Credentials? = nil
    ) throws(FirestoreError) -> RemoteEndpoint {
        try RemoteEndpoint(address: address, usesTLS: usesTLS, trustFile: trustFile, credentials: credentials)
    }

    /// Google's service.
    package static func cloud(credentials: Credentials = .applicationDefault) -> RemoteEndpoint {
        RemoteEndpoint(host: cloudHost, port: 443, usesTLS: true, credentials: credentials)
    }

    package static let cloudHost = "firestore.googleapis.com"

    /// Whether what is sent there cannot be read on the way.
    package var keepsSecrets: Bool { usesTLS || LoopbackHost.names(host) }

    /// Google's tokens are for Google only: a server with another name does not get one by default.
    private static func defaultCredentials(host: String, usesTLS: Bool) -> Credentials {
        usesTLS && host.lowercased().hasSuffix(".googleapis.com") ? .applicationDefault : .none
    }

    private static func split(_ address: String, defaultPort: Int?) throws(FirestoreError) -> (host: String, port: Int) {
        let bytes = address.utf8
        let bracket = bytes.lastIndex(of: UInt8(ascii: "]"))
        let colon = bytes.lastIndex(of: UInt8(ascii: ":")).flatMap { colon in bracket.map { $0 < colon } ?? true ? colon : nil }
        var host = colon.map { address[..<$0] } ?? address[...]
        let port = colon.map { Int(address[address.index(after: $0)...]) } ?? defaultPort
        guard let port, (1...65_535).contains(port), !host.isEmpty else {
            throw .invalidArgument("a server is named host:port, for example 127.0.0.1:8080", at: address)
        }
        if host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]") { host = host.dropFirst().dropLast() }
        return (String(host), port)
    }

    /// Opens a database of the server. Connects when first used; key files are read now.
    package func open(
        _ database: DatabaseID, surroundings: CredentialSurroundings = CredentialSurroundings(),
        backoff: Backoff = Backoff(), retries: RetryPolicy = RetryPolicy()
    ) throws(FirestoreError) -> RemoteService {
        if !keepsSecrets, credentials.areAlwaysSecret {
            throw .invalidArgument(
                "a token would be sent unencrypted: use TLS (settings.isSSLEnabled), or no credentials of this kind",
                at: "\(RPCAddress(host: host, port: port))")
        }
        let channel: RPCClientChannel
        do throws(RPCStatus) {
            let tls = usesTLS ? RPCClientConfiguration.TLS(trustFile: trustFile) : nil
            channel = try RPCClientChannel(RPCClientConfiguration(host: host, port: port, tls: tls))
        } catch {
            throw FirestoreError(error)
        }
        return try RemoteService(
            channel, database: database, credentials: credentials, surroundings: surroundings, backoff: backoff, retries: retries,
            writeAhead: .towards(host: host))
    }
}
