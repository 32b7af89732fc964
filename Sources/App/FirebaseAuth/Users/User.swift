// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
public import Foundation

/// The account of a signed-in user.
///
/// The properties have the values that the server sent last: at sign-in, after a change through this object, and at ``reload()``. A
/// stored user stays signed in without a network.
///
/// All methods may be called from any thread. `async` methods resume in the isolation of their caller; completion handlers are called
/// on the callback queue of ``AuthSettings``, the main queue by default. A method that fails because the account was deleted or disabled,
/// or because the session has ended, signs the user out.
public final class User: NSObject, UserInfo, Sendable {
    private struct State {
        var stored: StoredUser
        /// The request for new tokens in flight, which concurrent callers share.
        var refresh: Task<Result<IDTokens, AuthFailure>, Never>?
    }

    let session: AuthSession
    /// Where the user has signed in.
    let open: OpenPlace
    private let state: Mutex<State>
    /// Whatever replaces the tokens of the user takes it. Operations that have it use `requestInLane`.
    let lane = TokenLane()

    init(_ stored: StoredUser, at open: OpenPlace, in session: AuthSession) {
        self.open = open
        self.session = session
        state = Mutex(State(stored: stored))
        super.init()
    }

    // MARK: State

    var stored: StoredUser { state.withLock { $0.stored } }

    private var profile: AccountProfile { stored.profile }

    /// Takes over what the server has sent.
    func update(profile: AccountProfile? = nil, tokens: IDTokens? = nil, isAnonymous: Bool? = nil) {
        let hasNewToken = state.withLock { state in
            if let profile { state.stored.profile = profile }
            if let isAnonymous { state.stored.isAnonymous = isAnonymous }
            guard let tokens, tokens != state.stored.tokens else { return false }
            state.stored.tokens = tokens
            return true
        }
        session.changed(self, isToken: hasNewToken)
    }

    func updated(_ profile: AccountProfile) -> User {
        update(profile: profile)
        return self
    }

    // MARK: Tokens

    /// Tokens that are valid for more than five minutes. One request at a time, for any number of callers.
    func tokens(forcingRefresh: Bool) async throws(AuthFailure) -> IDTokens {
        let now = session.surroundings.clock.now()
        let (ready, refresh) = state.withLock { state -> (IDTokens?, Task<Result<IDTokens, AuthFailure>, Never>?) in
            if !forcingRefresh, state.stored.tokens.expiry - AuthSession.earliness > now { return (state.stored.tokens, nil) }
            if let refresh = state.refresh { return (nil, refresh) }
            let refresh = Task { await self.refresh() }
            state.refresh = refresh
            return (nil, refresh)
        }
        if let ready { return ready }
        guard let refresh else { throw AuthFailure(.internalError) }
        return try await refresh.value.get()
    }

    private func refresh() async -> Result<IDTokens, AuthFailure> {
        let result: Result<IDTokens, AuthFailure>
        do throws(AuthFailure) {
            result = .success(try await lane.run { () throws(AuthFailure) in try await refreshInLane() })
        } catch {
            result = .failure(error)
        }
        state.withLock { $0.refresh = nil }
        return result
    }

    /// New tokens. A failure ends the session, if the token that was refused is still the one of the user.
    private func refreshInLane() async throws(AuthFailure) -> IDTokens {
        var used = stored.tokens
        while true {
            do throws(AuthFailure) {
                let tokens = try await fetchTokens(with: used.refreshToken)
                update(tokens: tokens)
                return tokens
            } catch {
                guard error.endsSession else { throw error }
                guard let other = tokens(otherThan: used) else {
                    session.end(self)
                    throw error
                }
                used = other
            }
        }
    }

    /// The tokens of the user, if they are not these: also those that another process has stored.
    private func tokens(otherThan used: IDTokens) -> IDTokens? {
        if stored.tokens.refreshToken != used.refreshToken { return stored.tokens }
        guard let other = session.storedTokens(of: self), other.refreshToken != used.refreshToken else { return nil }
        update(tokens: other)
        return other
    }

    /// A token that is itself about to expire is fetched once more.
    private func fetchTokens(with refreshToken: String) async throws(AuthFailure) -> IDTokens {
        let backend = open.backend
        let tokens = try await backend.refresh(refreshToken)
        guard tokens.expiry - AuthSession.earliness <= session.surroundings.clock.now() else { return tokens }
        return try await backend.refresh(tokens.refreshToken)
    }

    typealias Request<Answer> = (_ backend: any IdentityBackend, _ idToken: String) async throws(AuthFailure) -> Answer

    /// Makes a request in the user's name. A failure that ends the session signs the user out, unless the tokens were replaced meanwhile:
    /// then the request is made again.
    func perform<Answer: Sendable>(_ request: Request<Answer>) async throws(AuthFailure) -> Answer {
        var used = try await tokens(forcingRefresh: false)
        while true {
            do throws(AuthFailure) {
                return try await request(open.backend, used.idToken)
            } catch {
                guard error.endsSession else { throw error }
                // The operation that has revoked the token may not have its answer yet.
                await lane.rest()
                guard let other = tokens(otherThan: used) else {
                    session.end(self)
                    throw error
                }
                used = other
            }
        }
    }

    /// Makes a request in the user's name, for an operation that has the lane.
    func requestInLane<Answer: Sendable>(_ request: Request<Answer>) async throws(AuthFailure) -> Answer {
        let isFresh = stored.tokens.expiry - AuthSession.earliness > session.surroundings.clock.now()
        var used = isFresh ? stored.tokens : try await refreshInLane()
        while true {
            do throws(AuthFailure) {
                return try await request(open.backend, used.idToken)
            } catch {
                guard error.endsSession else { throw error }
                // Another process may have replaced them.
                guard let other = tokens(otherThan: used) else {
                    session.end(self)
                    throw error
                }
                used = other
            }
        }
    }

    // MARK: Properties

    /// Always `Firebase`. The linked providers are in ``providerData``.
    public var providerID: String { "Firebase" }
    /// The id of the account: `request.auth.uid` in security rules.
    public var uid: String { profile.uid }
    /// The e-mail address; nil for anonymous users.
    public var email: String? { profile.email }
    /// The user's display name.
    public var displayName: String? { profile.displayName }
    /// The URL of the user's picture.
    public var photoURL: URL? { profile.photoURL.flatMap(URL.init(string:)) }
    /// The user's phone number.
    public var phoneNumber: String? { profile.phoneNumber }
    /// Whether the user is anonymous: signed in anonymously, and not linked to a credential since.
    public var isAnonymous: Bool { stored.isAnonymous }
    /// Whether the e-mail address is verified.
    public var isEmailVerified: Bool { profile.isEmailVerified }
    /// The user's profiles at the linked providers.
    public var providerData: [any UserInfo] { profile.providers.map { ProviderUserInfo($0) } }
    /// The times at which the account was created and the user last signed in.
    public var metadata: UserMetadata { UserMetadata(profile) }
    /// The tenant of the account; nil without tenants.
    public var tenantID: String? { profile.tenantID }
    /// The token that requests new ID tokens. Keep it secret.
    public var refreshToken: String? { stored.tokens.refreshToken }

    /// The id of the user, as text.
    public override var description: String { "<User: uid=\(uid)\(isAnonymous ? " anonymous" : "")>" }
}
