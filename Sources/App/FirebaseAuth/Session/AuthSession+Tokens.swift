// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import Foundation

/// Provides the signed-in user to Firestore.
extension AuthSession: UserTokenProvider {
    var userID: String? { current?.uid }

    var knownToken: UserToken? { current.map { token($0.stored.tokens, of: $0) } }

    private func token(_ tokens: IDTokens, of user: User) -> UserToken {
        UserToken(
            tokens.idToken, expires: Date(timeIntervalSince1970: Double(tokens.expiry) / 1_000_000),
            isSecret: user.open.place.issuesSecretTokens)
    }

    /// A token of the current user. If the user changes while it is fetched, it is one of the new user.
    func token(forcingRefresh: Bool) async throws -> UserToken? {
        startRenewing()
        while true {
            guard let user = current else { return nil }
            do throws(AuthFailure) {
                let tokens = try await user.tokens(forcingRefresh: forcingRefresh)
                guard user === current else { continue }
                return token(tokens, of: user)
            } catch {
                guard user === current else { continue }
                throw error
            }
        }
    }

    func observe(_ body: @escaping @Sendable () -> Void) -> any UserTokenObservation {
        let observation: TokenObservation = observe(body)
        return observation
    }
}
