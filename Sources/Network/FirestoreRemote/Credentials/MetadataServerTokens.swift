// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Tokens of the machine's service account, on Google Cloud.
struct MetadataServerTokens: TokenFetching {
    let endpoint: TokenEndpoint
    private let address: TokenEndpoint.Address
    /// Whether the existence of the metadata server is only assumed.
    private let isGuess: Bool

    static let defaultHost = "metadata.google.internal"

    /// `isGuess`: no other credentials were found.
    init(_ surroundings: CredentialSurroundings, _ endpoint: TokenEndpoint, isGuess: Bool) throws(FirestoreError) {
        self.endpoint = endpoint
        self.isGuess = isGuess && surroundings.variable("GCE_METADATA_HOST") == nil
        let host = surroundings.variable("GCE_METADATA_HOST") ?? Self.defaultHost
        // Plain HTTP: the connection does not leave the machine.
        address = try TokenEndpoint.Address(
            "http://\(host)/computeMetadata/v1/instance/service-accounts/default/token", named: "GCE_METADATA_HOST", isLocal: true)
    }

    var account: String { "the service account of this machine" }

    func fetch() async throws(FirestoreError) -> AccessToken {
        do throws(FirestoreError) {
            return try await endpoint.token(
                from: .metadata(address), for: account, advice: "the machine needs a service account with access to Firestore")
        } catch {
            guard isGuess, error.code == .unavailable else { throw error }
            throw FirestoreError(
                .unauthenticated,
                "no credentials were found: set GOOGLE_APPLICATION_CREDENTIALS to a key file, or settings.credentials, or run "
                    + "`gcloud auth application-default login`; this machine is not on Google Cloud either (\(error.message))")
        }
    }
}
