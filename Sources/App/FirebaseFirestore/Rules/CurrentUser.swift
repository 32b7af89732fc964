// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreClient
import FirestoreCore
import FirestoreEnforcement
import FirestoreRules

/// The user of an instance whose database is embedded and has rules: the one of the settings, or else the user signed in to the app.
final class CurrentUser: CallerSource {
    /// Distinguishes users, and the tokens of one user.
    private enum Identity: Hashable {
        case stated(SecurityRules.User)
        case signedIn(uid: String, token: String?)
        case signedOut
    }

    private struct State {
        var stated: SecurityRules.User?
        /// The latest caller, and who that is; nil before the first.
        var identity: Identity?
        var caller = RequestContext.Caller.anonymous
        /// Ascends with each caller.
        var number = 0
        /// Readings of the user, numbered before they begin, and the latest valid one: a reading that began earlier may be out of date.
        var lastReading = 0
        var appliedReading = 0
        /// Whether listeners are being judged, and whether the user may have changed since.
        var isJudging = false
        var hasToJudge = false
        var service: RuledService?
        var issuer: ClaimIssuer?
        /// The provider that is observed.
        var provider: (any UserTokenProvider)?
        var observation: (any UserTokenObservation)?
    }

    private let app: FirebaseApp
    private let state = Mutex(State())

    init(of app: FirebaseApp) { self.app = app }

    /// From now on the listeners of a service are judged again when the user changes.
    func attach(_ service: RuledService, _ issuer: ClaimIssuer) {
        state.withLock { state in
            state.service = service
            state.issuer = issuer
        }
    }

    func detach() {
        // Released outside of the lock: it may belong to the app's user then.
        let observation = state.withLock { state in
            defer { (state.service, state.provider, state.observation) = (nil, nil, nil) }
            return state.observation
        }
        withExtendedLifetime(observation) {}
    }

    /// Sets the user; nil follows the app.
    func change(to user: SecurityRules.User?) {
        state.withLock { $0.stated = user }
        judgeAgain()
    }

    // MARK: CallerSource

    var context: RequestContext { RequestContext(caller: current.caller) }

    func startListener(_ start: (RequestContext) -> Void) {
        let before = current
        start(RequestContext(caller: before.caller))
        if current.number != before.number { judgeAgain() }
    }

    /// Judges listeners for the user of now. Judgements come one after the other, so that the last one is that of the last user; a change
    /// during one is followed by another. The app's user is asked for only while there are rules.
    private func judgeAgain() {
        let begins = state.withLock { state in
            state.hasToJudge = true
            defer { state.isJudging = true }
            return !state.isJudging
        }
        guard begins else { return }
        while let service = nextJudgement() { service.judgeListeners(as: current.caller) }
    }

    private func nextJudgement() -> RuledService? {
        state.withLock { state in
            let service = state.hasToJudge ? state.service : nil
            (state.hasToJudge, state.isJudging) = (false, service != nil)
            return service
        }
    }

    /// Reads the user for each operation: a sign-in that has returned must take effect immediately, before observers are notified of it.
    private var current: (caller: RequestContext.Caller, number: Int) {
        let (reading, stated) = state.withLock { state in
            state.lastReading += 1
            return (state.lastReading, state.stated)
        }
        let identity = stated.map { .stated($0) } ?? appUser
        return state.withLock { state in
            guard reading > state.appliedReading else { return (state.caller, state.number) }
            state.appliedReading = reading
            if identity != state.identity {
                state.identity = identity
                state.caller = Self.caller(identity, state.issuer)
                state.number += 1
            }
            return (state.caller, state.number)
        }
    }

    private var appUser: Identity {
        guard let provider = app.userTokens else { return .signedOut }
        observe(provider)
        let token = provider.knownToken
        return provider.userID.map { .signedIn(uid: $0, token: token?.value) } ?? .signedOut
    }

    private static func caller(_ identity: Identity, _ issuer: ClaimIssuer?) -> RequestContext.Caller {
        switch identity {
        case .signedOut: return .anonymous
        case .signedIn(let uid, let token):
            // The token may be of the user before.
            let claims = token.flatMap { ClaimIssuer.claims(ofToken: $0) }.flatMap { $0["sub"]?.isText(uid) == true ? $0 : nil }
            return .user(id: uid, claims: claims ?? issuer?.claims(of: uid) ?? FieldMap())
        case .stated(let user):
            switch user.kind {
            case .signedOut: return .anonymous
            case .administrator: return .administrator
            case .signedIn(let uid, let claims): return .user(id: uid, claims: issuer?.claims(of: uid, adding: claims) ?? FieldMap())
            }
        }
    }

    /// Firebase Authentication may be set up after the database was opened.
    private func observe(_ provider: any UserTokenProvider) {
        let isNew = state.withLock { state in
            guard state.service != nil, state.provider !== provider else { return false }
            state.provider = provider
            return true
        }
        guard isNew else { return }
        let observation = provider.observe { [weak self] in self?.judgeAgain() }
        state.withLock { state in
            if state.provider === provider { state.observation = observation }
        }
    }
}
