// SPDX-License-Identifier: Apache-2.0

/// Features of Firebase Authentication that these accounts do not have: each gets a sentence that says so and names an alternative.
/// docs/operations/accounts.md lists it.
enum Unsupported {
    /// An error that client libraries report as "operation not allowed", with the sentence.
    private static func refusal(_ sentence: String) -> AccountError { AccountError("OPERATION_NOT_ALLOWED", sentence) }

    private static func missing(_ sentence: String) -> AccountError {
        AccountError("NOT_IMPLEMENTED", sentence, status: 501, canonicalName: "UNIMPLEMENTED")
    }

    static let phone = refusal(
        "Sign-in with a phone number is not available: this server sends no text messages. Use links by e-mail or custom tokens.")
    static let saml = refusal(
        "Sign-in with SAML is not available. Verify the assertion on a server of yours, and let its user sign in with a custom token.")
    static let openID = refusal(
        "Sign-in with OpenID Connect providers is not available. Verify the ID token on a server of yours, and let its user sign in with a "
            + "custom token; or name the provider as an issuer whose tokens the databases accept.")
    static let federated = refusal(
        "Sign-in with this provider is available in development mode only. Verify the provider's ID token on a server of "
            + "yours, and let its user sign in with a custom token; or name the provider as an issuer whose tokens the "
            + "databases accept.")
    static let providerPages = refusal(
        "The sign-in page of a provider cannot be opened by this method. In development mode use the web SDK's sign-in window, or "
            + "signInWithCredential with an ID token.")
    static let secondFactors = refusal("Second factors and passkeys are not available on this server.")
    static let appVerification = refusal("This server does not verify apps with reCAPTCHA, Play Integrity or push notifications.")
    static let tenants = AccountError("UNSUPPORTED_TENANT_OPERATION", "This server has no tenants: a project has one set of accounts.")
    static let tenantOfToken = AccountError("TENANT_ID_MISMATCH", "The custom token names a tenant, and this server has none.")
    private static let administration = missing(
        "The configuration of a project cannot be read or changed by this API: it belongs to the server's own settings.")

    /// The error of a method `accounts:NAME`; nil if Firebase has no such method either.
    static func method(_ name: String) -> AccountError? {
        switch name {
        case "sendVerificationCode", "signInWithPhoneNumber": phone
        case "verifyIosClient": appVerification
        case "issueSamlResponse": saml
        case "signInWithGameCenter": refusal("Sign-in with Game Center is not available on this server.")
        case "revokeToken": refusal("Tokens of other providers are not kept here, so there are none to revoke.")
        default: nil
        }
    }

    /// The error of a path, as its segments without a host; nil if nothing is known of it.
    static func path(_ words: [String]) -> AccountError? {
        if words.count > 3, words[1] == "projects", words[3] == "tenants" || words[3].hasPrefix("tenants:") { return tenants }
        switch (words.first, words.count > 1 ? words[1] : nil) {
        case ("v2", "accounts"?): return secondFactors
        case ("v2", "recaptchaConfig"?), ("v1", "recaptchaParams"?), ("v2", "recaptchaParams"?): return appVerification
        case ("v2", "passwordPolicy"?): return missing("The password policy is fixed: 6 characters to 4096 bytes.")
        case ("v2", "projects"?): return administration
        case ("identitytoolkit", "v3"?) where words.last == "getRecaptchaParam": return appVerification
        default: return nil
        }
    }

    /// Rejects providers that cannot be used.
    static func check(provider: String, _ policy: AccountPolicy) throws(AccountError) {
        if provider == "phone" { throw phone }
        if provider.hasPrefix("saml.") { throw saml }
        guard !policy.isDevelopment, policy.identityProviders[provider] == nil else { return }
        throw provider.hasPrefix("oidc.") ? openID : federated
    }
}
