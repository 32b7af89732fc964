#if Remote
package import FirestoreCore
import FirestoreRPC

/// Where a server is and how to get in: what a host in the settings, an environment variable or `--server` comes to.
package struct RemotePlace: Sendable, Hashable {
    package var host: String
    package var port: Int
    /// An encrypted connection; the certificate has to be one the system trusts.
    package var usesTLS: Bool

    package init(host: String, port: Int, usesTLS: Bool) {
        self.host = host
        self.port = port
        self.usesTLS = usesTLS
    }

    /// `host:port`, as in `FIRESTORE_EMULATOR_HOST`; an IPv6 address stands in brackets.
    package init(address: String, usesTLS: Bool = false) throws(FirestoreError) {
        guard let colon = address.utf8.lastIndex(of: UInt8(ascii: ":")), colon > address.startIndex,
            let port = Int(address[address.index(after: colon)...]), (1...65_535).contains(port)
        else {
            throw .invalidArgument("a server is named host:port, for example 127.0.0.1:8080", at: address)
        }
        var host = address[..<colon]
        if host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]") { host = host.dropFirst().dropLast() }
        self.init(host: String(host), port: port, usesTLS: usesTLS)
    }

    /// A database of the server. Connects when first used.
    package func open(_ database: DatabaseID) throws(FirestoreError) -> RemoteService {
        do throws(RPCStatus) {
            let channel = try RPCClientChannel(
                RPCClientConfiguration(host: host, port: port, tls: usesTLS ? RPCClientConfiguration.TLS() : nil))
            return RemoteService(channel, database: database, writeAhead: .towards(host: host))
        } catch {
            throw FirestoreError(error)
        }
    }
}
#endif
