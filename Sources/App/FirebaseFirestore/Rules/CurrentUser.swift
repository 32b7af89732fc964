// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreClient
import FirestoreCore
import FirestoreEnforcement
import FirestoreRules

/// The user of an instance whose database is embedded and has rules: the one of the settings, or else the user signed in to the app.
final class CurrentUser: CallerSource {
    /// The database whose operations are judged.
    private struct Attachment {
        let service: RuledService
        let issuer: ClaimIssuer
        /// The provider that is observed.
        var provider: (any UserTokenProvider)?
        var observation: (any UserTokenObservation)?
    }

    private struct State {
        var stated: SecurityRules.User?
        var latest = LatestCaller()
        var judging = JudgingState.resting
        /// nil before the database is open, and once it is closed.
        var attachment: Attachment?
    }

    private let app: FirebaseApp
    private let state = Mutex(State())

    init(of app: FirebaseApp) { self.app = app }

    /// From now on the listeners of a service are judged again when the user changes.
    func attach(_ service: RuledService, _ issuer: ClaimIssuer) {
        state.withLock { $0.attachment = Attachment(service: service, issuer: issuer) }
    }

    func detach() {
        // Released outside of the lock: it may belong to the app's user then.
        let attachment = state.withLock { $0.attachment.take() }
        withExtendedLifetime(attachment) {}
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

    /// Judges listeners for the user of now. The app's user is asked for only while there are rules.
    private func judgeAgain() {
        guard state.withLock({ $0.judging.userChanged() }) else { return }
        while let service = nextJudgement() { service.judgeListeners(as: current.caller) }
    }

    private func nextJudgement() -> RuledService? {
        state.withLock { state in
            let service = state.attachment?.service
            return state.judging.next(hasListeners: service != nil) ? service : nil
        }
    }

    /// Reads the user for each operation: a sign-in that has returned must take effect immediately, before observers are notified of it.
    private var current: LatestCaller.Numbered {
        let (reading, stated) = state.withLock { ($0.latest.beginReading(), $0.stated) }
        let identity = stated.map { .stated($0) } ?? appUser
        let (known, issuer) = state.withLock { ($0.latest.read(identity, by: reading), $0.attachment?.issuer) }
        if let known { return known }
        let caller = Self.caller(identity, issuer)
        return state.withLock { $0.latest.apply(caller, of: identity, by: reading) }
    }

    private var appUser: CallerIdentity {
        guard let provider = app.userTokens else { return .signedOut }
        observe(provider)
        let token = provider.knownToken
        return provider.userID.map { .signedIn(uid: $0, token: token?.value) } ?? .signedOut
    }

    private static func caller(_ identity: CallerIdentity, _ issuer: ClaimIssuer?) -> RequestContext.Caller {
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
            guard state.attachment != nil, state.attachment?.provider !== provider else { return false }
            state.attachment?.provider = provider
            return true
        }
        guard isNew else { return }
        let observation = provider.observe { [weak self] in self?.judgeAgain() }
        state.withLock { state in
            if state.attachment?.provider === provider { state.attachment?.observation = observation }
        }
    }
}
