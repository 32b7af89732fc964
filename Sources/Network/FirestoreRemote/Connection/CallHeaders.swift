// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import HearthBase

/// The headers of every call: the database, the client, and a token where one is needed (SE-1, SE-4).
///
/// They are built when the token changes, not for every call.
final class CallHeaders: Sendable {
    struct Set: Sendable {
        let metadata: RPCMetadata
        /// The token in `authorization`, to be named when the server does not accept it.
        let token: AccessToken?
    }

    private let plain: Set
    private let tokens: TokenSource?
    private let latest = Mutex<Set?>(nil)

    init(_ database: DatabaseID, _ own: RPCMetadata, _ tokens: TokenSource?) {
        var metadata = own
        // Lets a service with many databases find the right one before it reads the message.
        metadata.append(
            "google-cloud-resource-prefix", "projects/\(database.projectID)/databases/\(database.databaseID)")
        metadata.append(
            "x-goog-request-params",
            "project_id=\(PercentEncoding.encode(database.projectID))&database_id=\(PercentEncoding.encode(database.databaseID))")
        metadata.append("x-goog-api-client", Self.client)
        if let project = tokens?.fetcher.quotaProject { metadata.append("x-goog-user-project", project) }
        plain = Set(metadata: metadata, token: nil)
        self.tokens = tokens
    }

    /// Public information: language and library.
    private static let client = "gl-swift/6 gccl/\(LibraryVersion.text) hearth/\(LibraryVersion.text)"

    /// The headers, if they are available without waiting.
    func ready() -> Set? {
        guard let tokens else { return plain }
        return tokens.ready().map(with)
    }

    func headers(until deadline: ContinuousClock.Instant?) async throws(FirestoreError) -> Set {
        if let set = ready() { return set }
        guard let tokens else { return plain }
        do throws(FirestoreError) {
            return with(try await tokens.token(until: deadline))
        } catch {
            // Whatever the failure, nothing was sent.
            var error = error
            error.progress = .notBegun
            throw error
        }
    }

    private func with(_ token: AccessToken) -> Set {
        if token.isAnonymous { return plain }
        return latest.withLock { latest in
            if let latest, let known = latest.token, equalUTF8(known.value, token.value) { return latest }
            var metadata = plain.metadata
            metadata.append("authorization", "Bearer " + token.value)
            let set = Set(metadata: metadata, token: token)
            latest = set
            return set
        }
    }

    /// The server has not accepted the token. Returns true if there may be another one.
    func rejected(_ set: Set) -> Bool {
        guard let tokens, let token = set.token else { return false }
        tokens.rejected(token)
        return true
    }

    /// The token in use is not used for later calls.
    func invalidate() { tokens?.invalidate() }

    /// Calls `body` after every change of the caller or the token, as long as it returns true.
    func whenCallerChanges(_ body: @escaping @Sendable (_ isSameUser: Bool) -> Bool) { tokens?.whenCallerChanges(body) }

    /// The account of the calls, for messages; nil if there is none.
    var account: String? { tokens.flatMap { $0.isAnonymous ? nil : $0.fetcher.account } }

    func shutDown() { tokens?.shutDown() }
}
