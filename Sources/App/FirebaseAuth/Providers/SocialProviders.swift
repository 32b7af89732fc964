// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Creates credentials for Google accounts.
public final class GoogleAuthProvider: NSObject {
    /// The id of the provider: `google.com`.
    public static let id = "google.com"

    /// Creates a credential for the tokens of Google.
    public class func credential(withIDToken idToken: String, accessToken: String) -> AuthCredential {
        OAuthCredential(ProviderAssertion(providerID: id, idToken: idToken, accessToken: accessToken))
    }
}

/// Creates credentials for Facebook accounts. Only Google's service accepts them.
public final class FacebookAuthProvider: NSObject {
    /// The id of the provider: `facebook.com`.
    public static let id = "facebook.com"

    /// Creates a credential for the access token of Facebook.
    public class func credential(withAccessToken accessToken: String) -> AuthCredential {
        OAuthCredential(ProviderAssertion(providerID: id, accessToken: accessToken))
    }
}

/// Creates credentials for GitHub accounts. Only Google's service accepts them.
public final class GitHubAuthProvider: NSObject {
    /// The id of the provider: `github.com`.
    public static let id = "github.com"

    /// Creates a credential for the access token of GitHub.
    public class func credential(withToken token: String) -> AuthCredential {
        OAuthCredential(ProviderAssertion(providerID: id, accessToken: token))
    }
}

/// Creates credentials for Twitter accounts. Only Google's service accepts them.
public final class TwitterAuthProvider: NSObject {
    /// The id of the provider: `twitter.com`.
    public static let id = "twitter.com"

    /// Creates a credential for the access token of Twitter and its secret.
    public class func credential(withToken token: String, secret: String) -> AuthCredential {
        OAuthCredential(ProviderAssertion(providerID: id, accessToken: token, secret: secret))
    }
}
