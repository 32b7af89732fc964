// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// The key of a service account, which signs JSON web tokens with RS256.
struct ServiceAccountKey: Sendable {
    let email: String
    let projectID: String?
    let tokenEndpoint: TokenEndpoint.Address
    private let keyID: String?
    private let signer: RSASigner

    init(_ json: JSONNode) throws(FirestoreError) {
        email = try json.required("client_email").string()
        projectID = try json.optional("project_id")?.string()
        keyID = try json.optional("private_key_id")?.string()
        tokenEndpoint = try TokenEndpoint.Address(
            try json.optional("token_uri")?.string() ?? "https://oauth2.googleapis.com/token", named: "token_uri")
        let text = try json.required("private_key").string()
        do throws(RSASigner.Rejection) {
            signer = try RSASigner(pem: text)
        } catch {
            switch error {
            case .unavailable:
                throw FirestoreError(
                    .unimplemented,
                    "this build cannot sign with the key of a service account: the trait `ServiceAccounts` of the package is off; "
                        + "turn it on, or use other credentials")
            case .notAKey, .notSigned:
                throw .invalidArgument(
                    "\"private_key\" is not an RSA key of at least 2048 bits in PEM form (PKCS#8 or PKCS#1); download the key again")
            }
        }
    }

    /// Returns a token for the claims, valid for an hour from `now` (microseconds since 1970).
    func sign(_ claims: [(name: String, value: JSON)], now: Int64) throws(FirestoreError) -> String {
        var header: [(name: String, value: JSON)] = [("alg", .string("RS256")), ("typ", .string("JWT"))]
        if let keyID { header.append(("kid", .string(keyID))) }
        let seconds = now / 1_000_000
        let payload = claims + [("iat", .number(seconds)), ("exp", .number(seconds + Self.lifetime))]
        let text = Base64.encodeForURL(JSON.object(header).bytes()) + "." + Base64.encodeForURL(JSON.object(payload).bytes())
        do throws(RSASigner.Rejection) {
            return text + "." + Base64.encodeForURL(try signer.signature(for: text))
        } catch {
            throw FirestoreError(.internal, "the key of \(email) cannot sign")
        }
    }

    /// In seconds; the maximum that Google accepts.
    static let lifetime: Int64 = 3600
}
