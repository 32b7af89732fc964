// SPDX-License-Identifier: Apache-2.0

/// The id of a provider that users sign in with.
public enum AuthProviderID: Hashable, Sendable {
    /// Sign in with Apple.
    case apple
    /// An e-mail address with a password or a link.
    case email
    /// Facebook.
    case facebook
    /// Game Center.
    case gameCenter
    /// GitHub.
    case gitHub
    /// Google.
    case google
    /// A phone number.
    case phone
    /// Twitter.
    case twitter
    /// Another provider, such as `oidc.example`.
    case custom(String)

    /// The provider with an id; `custom` if it is none of the others.
    public init(rawValue: String) {
        let known: [AuthProviderID] = [.apple, .email, .facebook, .gameCenter, .gitHub, .google, .phone, .twitter]
        self = known.first { $0.rawValue == rawValue } ?? .custom(rawValue)
    }

    /// The id as servers know it, such as `apple.com`.
    public var rawValue: String {
        switch self {
        case .apple: "apple.com"
        case .email: "password"
        case .facebook: "facebook.com"
        case .gameCenter: "gc.apple.com"
        case .gitHub: "github.com"
        case .google: "google.com"
        case .phone: "phone"
        case .twitter: "twitter.com"
        case .custom(let id): id
        }
    }
}

extension AuthProviderID: ExpressibleByStringLiteral {
    /// The provider with an id.
    public init(stringLiteral id: String) { self.init(rawValue: id) }
}
