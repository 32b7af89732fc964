// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
package import FirestoreTokens
import Foundation

/// The description of an OpenID issuer, the file of `--issuer`:
///
///     {"issuer": "https://login.example.com", "audiences": ["my-app"], "keys": "https://login.example.com/jwks.json",
///      "algorithms": ["ES256"], "userClaim": "sub", "userPrefix": "corp:"}
///
/// Without `keys` they are found by the issuer's `/.well-known/openid-configuration`.
package struct IssuerFile {
    package let requirements: TokenRequirements
    package let keys: KeySource

    /// Where the keys are.
    package enum KeySource {
        case document(KeyAddress)
        /// The issuer says where, on the same host.
        case discovery(KeyAddress, issuer: String)
    }

    private static let maximumBytes = 1 << 20

    package init(reading path: String, skew: Int) throws(StartRefusal) {
        guard let file = FileHandle(forReadingAtPath: path), let data = try? file.read(upToCount: Self.maximumBytes + 1) ?? Data(),
            data.count <= Self.maximumBytes
        else { throw StartRefusal("the issuer file \(path) does not exist or cannot be read") }
        let node: JSONNode
        do throws(FirestoreError) {
            node = JSONNode(try JSON(data))
            try node.allow(only: "issuer", "audiences", "keys", "algorithms", "userClaim", "userPrefix")
            let issuer = try node.required("issuer").string()
            var requirements = TokenRequirements(issuer: issuer, audiences: try Self.texts(try node.required("audiences")))
            if let algorithms = try node.optional("algorithms") {
                requirements.algorithms = []
                for name in try Self.texts(algorithms) {
                    guard let algorithm = SigningAlgorithm(rawValue: name) else {
                        let names = SigningAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
                        throw algorithms.failure("\"\(name)\" is not accepted; the algorithms are \(names)")
                    }
                    requirements.algorithms.insert(algorithm)
                }
            }
            requirements.userClaim = try node.optional("userClaim")?.string() ?? "sub"
            requirements.userPrefix = try node.optional("userPrefix")?.string() ?? ""
            requirements.skew = Int64(skew)
            self.requirements = requirements
        } catch {
            throw StartRefusal("the issuer file \(path): \(error)")
        }
        let issuer = requirements.issuer ?? ""
        if let text = try? node.optional("keys")?.string() {
            keys = .document(try KeyAddress(text, named: "\"keys\" in \(path)"))
        } else {
            let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
            keys = .discovery(
                try KeyAddress(base + "/.well-known/openid-configuration", named: "\"issuer\" in \(path)"), issuer: issuer)
        }
    }

    private static func texts(_ node: JSONNode) throws(FirestoreError) -> [String] {
        var texts: [String] = []
        for element in try node.elements() { texts.append(try element.string()) }
        guard !texts.isEmpty, !texts.contains("") else { throw node.failure("an array of strings with at least one is expected") }
        return texts
    }
}

extension IssuerFile.KeySource {
    package func fetch() async throws(KeyAddress.Failure) -> IssuerKeys.Fetched {
        let address: KeyAddress
        switch self {
        case .document(let configured): address = configured
        case .discovery(let configured, let issuer):
            let description = try? JSON(try await configured.fetch().body)
            guard case .string(let named)? = description?["issuer"], equalUTF8(named, issuer),
                case .string(let uri)? = description?["jwks_uri"]
            else { throw KeyAddress.Failure(message: "\(configured.text): the answer does not describe the issuer \(issuer)") }
            guard let found = try? KeyAddress(uri, named: "jwks_uri"), found.usesTLS || !configured.usesTLS,
                found.host.lowercased() == configured.host.lowercased()
            else {
                throw KeyAddress.Failure(
                    message: "\(configured.text): the keys are on another host; if that is right, configure \"keys\" as \(uri)")
            }
            address = found
        }
        let answer = try await address.fetch()
        return IssuerKeys.Fetched(document: answer.body, lifetime: answer.lifetime)
    }
}
