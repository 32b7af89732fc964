// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The file of `gcloud auth application-default login`: a person's refresh token, to be exchanged for access tokens.
struct RefreshKey: Sendable {
    fileprivate let clientID: String
    fileprivate let clientSecret: String
    fileprivate let refreshToken: String
    fileprivate let quotaProject: String?
    fileprivate let tokenEndpoint: TokenEndpoint.Address

    init(_ json: JSONNode) throws(FirestoreError) {
        clientID = try json.required("client_id").string()
        clientSecret = try json.required("client_secret").string()
        refreshToken = try json.required("refresh_token").string()
        quotaProject = try json.optional("quota_project_id")?.string()
        tokenEndpoint = try TokenEndpoint.Address(
            try json.optional("token_uri")?.string() ?? "https://oauth2.googleapis.com/token", named: "token_uri")
    }
}

/// The access tokens of a person.
struct AuthorizedUserTokens: TokenFetching {
    let key: RefreshKey
    let endpoint: TokenEndpoint

    var account: String { "the user of the key file" }
    var quotaProject: String? { key.quotaProject }

    func fetch() async throws(FirestoreError) -> AccessToken {
        try await endpoint.token(
            from: .form(
                key.tokenEndpoint,
                [
                    ("grant_type", "refresh_token"), ("client_id", key.clientID), ("client_secret", key.clientSecret),
                    ("refresh_token", key.refreshToken),
                ]),
            for: account, advice: "log in again: gcloud auth application-default login")
    }
}
