// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import HearthBase

/// The readable part of an ID token, not verified: servers verify it.
struct IDToken: Sendable {
    /// The claims, as JSON in UTF-8.
    let payload: Data

    init(_ text: String) throws(AuthFailure) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64.decode(String(parts[1])) else {
            throw AuthFailure(.malformedJWT, "the ID token does not consist of three parts in base64")
        }
        payload = Data(bytes)
        guard (try? JSONSerialization.jsonObject(with: payload)) is [String: Any] else {
            throw AuthFailure(.malformedJWT, "the claims of the ID token are not a JSON object")
        }
    }

    /// The claims as JSON values.
    var claims: [String: Any] { (try? JSONSerialization.jsonObject(with: payload)) as? [String: Any] ?? [:] }

    func date(_ claim: String) -> Date? { (claims[claim] as? NSNumber).map { Date(timeIntervalSince1970: $0.doubleValue) } }

    private var firebase: [String: Any] { claims["firebase"] as? [String: Any] ?? [:] }

    var signInProvider: String { firebase["sign_in_provider"] as? String ?? "" }
    var signInSecondFactor: String { firebase["sign_in_second_factor"] as? String ?? "" }
}
