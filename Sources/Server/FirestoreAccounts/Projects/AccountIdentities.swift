// SPDX-License-Identifier: Apache-2.0
package import FirestoreTokens

/// The parts of this server's accounts that the verification of tokens needs.
package struct AccountIdentities: Sendable {
    /// In production the accounts' own issuer. In development mode an issuer without a name, which rejects tokens of accounts that were
    /// disabled or deleted, whatever their project; a verifier in that mode asks it about tokens that no other issuer has issued.
    package let issuers: [TokenIssuer]
    /// Calls a closure whenever tokens have ended before their time.
    package let observe: @Sendable (@escaping @Sendable () -> Void) -> Void

    package init(_ projects: AccountProjects) {
        issuers = projects.issuers
        observe = { projects.observe($0) }
    }
}
