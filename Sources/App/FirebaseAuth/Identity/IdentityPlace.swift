// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// Where the accounts of an app are.
enum IdentityPlace: Hashable, Sendable {
    /// In this process: no server is asked.
    case local
    /// `hearth serve --auth`, or the official emulator.
    case server(ServerAddress)
    /// Google's service.
    case google

    /// The most explicit statement takes precedence:
    ///
    /// 1. `useEmulator(withHost:port:)` or `useServer(_:)`;
    /// 2. `FIREBASE_AUTH_EMULATOR_HOST`;
    /// 3. an API key, if the app's Firestore is on a server or at Google's, or if the app does not use Firestore;
    /// 4. otherwise the process itself, as with an embedded database.
    static func find(
        chosen: ServerAddress?, apiKey: String?, usesRemoteDatabase: Bool?, hasFirestore: Bool, environment: [String: String]
    ) -> IdentityPlace {
        if let chosen { return .server(chosen) }
        if let address = environment["FIREBASE_AUTH_EMULATOR_HOST"].flatMap(ServerAddress.init(hostAndPort:)) { return .server(address) }
        guard apiKey?.isEmpty == false else { return .local }
        return usesRemoteDatabase ?? willUseRemoteDatabase(hasFirestore, environment) ? .google : .local
    }

    /// Whether the app will use a database on a server, judged by the configuration before the app has used Firestore.
    private static func willUseRemoteDatabase(_ hasFirestore: Bool, _ environment: [String: String]) -> Bool {
        guard hasFirestore else { return true }
        switch DatabaseVariables(environment).place(with: .unspecified) {
        case .server, .cloud: return true
        case .file, nil: return false
        }
    }

    /// The name of the file in which the user of the place is stored.
    var fileName: String {
        switch self {
        case .local: "local"
        case .server(let address): "\(address.usesTLS ? "https" : "http")_\(address.host.lowercased())_\(address.port)"
        case .google: "google"
        }
    }

    /// Whether its tokens are secret. Those of local accounts prove nothing, and those of a server without TLS cross the network in the
    /// clear.
    var issuesSecretTokens: Bool {
        switch self {
        case .local: false
        case .server(let address): address.usesTLS
        case .google: true
        }
    }
}

extension IdentityPlace: CustomStringConvertible {
    /// A phrase for the log.
    var description: String {
        switch self {
        case .local: "local, without a server"
        case .server(let address): "on the server \(address.host):\(address.port), \(address.usesTLS ? "with TLS" : "without TLS")"
        case .google: "at Google's service"
        }
    }
}

/// A location of accounts and the connection to it. A user retains the location of the sign-in, so that no other server
/// receives the tokens.
struct OpenPlace: Sendable {
    let place: IdentityPlace
    let backend: any IdentityBackend
}

/// An accounts server.
struct ServerAddress: Hashable, Sendable {
    var usesTLS = false
    var host: String
    var port: Int
    /// The path under which the server's methods are, without a slash at its end.
    var path = ""

    init(host: String, port: Int) {
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        self.port = port
    }

    /// `http://…` or `https://…`; nil for others.
    init?(_ url: URL) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = parts.host, !host.isEmpty
        else { return nil }
        self.init(host: host, port: parts.port ?? (scheme == "https" ? 443 : 80))
        usesTLS = scheme == "https"
        path = String(parts.percentEncodedPath.reversed().drop { $0 == "/" }.reversed())
    }

    /// As in `FIREBASE_AUTH_EMULATOR_HOST`; nil if it is empty or malformed.
    init?(hostAndPort text: String) {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex, let port = Int(text[text.index(after: colon)...]),
            (1...65_535).contains(port)
        else { return nil }
        self.init(host: String(text[..<colon]), port: port)
    }
}
