// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

extension Credentials {
    /// The token source for these credentials; nil if they need none. Reads key files, and throws if one is invalid.
    func tokenSource(_ surroundings: CredentialSurroundings) throws(FirestoreError) -> TokenSource? {
        guard let fetcher = try fetcher(surroundings) else { return nil }
        return TokenSource(fetcher, clock: surroundings.clock, backoff: surroundings.backoff)
    }

    private func fetcher(_ surroundings: CredentialSurroundings) throws(FirestoreError) -> (any TokenFetching)? {
        let endpoint = TokenEndpoint(clock: surroundings.clock, patience: surroundings.patience)
        switch self {
        case .none, .emulatorOwner: return nil
        case .provider(let provider): return ProvidedTokens(provider: provider)
        case .user(let source): return UserTokens(source: source)
        case .metadataServer: return try MetadataServerTokens(surroundings, endpoint, isGuess: false)
        case .applicationDefault:
            guard let file = Self.defaultFile(surroundings) else {
                return try MetadataServerTokens(surroundings, endpoint, isGuess: true)
            }
            return try Credentials.file(file).fetcher(surroundings)
        case .file(let path):
            switch try KeyFile.read(path) {
            case .serviceAccount(let key):
                return ServiceAccountTokens(key: key, signing: .exchanged, endpoint: endpoint, clock: surroundings.clock)
            case .authorizedUser(let key): return AuthorizedUserTokens(key: key, endpoint: endpoint)
            }
        case .serviceAccount(let path, let signing):
            guard case .serviceAccount(let key) = try KeyFile.read(path) else {
                throw .invalidArgument("this is a person's key file, not a service account's: use .authorizedUser", at: path)
            }
            return ServiceAccountTokens(key: key, signing: signing, endpoint: endpoint, clock: surroundings.clock)
        case .authorizedUser(let path):
            guard case .authorizedUser(let key) = try KeyFile.read(path) else {
                throw .invalidArgument("this is a service account's key file, not a person's: use .serviceAccount", at: path)
            }
            return AuthorizedUserTokens(key: key, endpoint: endpoint)
        }
    }

    /// The file of the application default credentials. If a variable names it, it must exist; gcloud's is optional.
    private static func defaultFile(_ surroundings: CredentialSurroundings) -> String? {
        if let named = DatabaseVariables(surroundings.variables).credentialsFile { return named }
        return FileManager.default.fileExists(atPath: surroundings.gcloudFile) ? surroundings.gcloudFile : nil
    }

    /// The project of a key file; nil if there is no file, or it does not name one.
    package func projectID(_ surroundings: CredentialSurroundings = CredentialSurroundings()) -> String? {
        switch self {
        case .none, .emulatorOwner, .metadataServer, .provider, .user: nil
        case .file(let path), .serviceAccount(let path, _), .authorizedUser(let path): KeyFile.projectID(in: path)
        case .applicationDefault: Self.defaultFile(surroundings).flatMap(KeyFile.projectID(in:))
        }
    }
}
