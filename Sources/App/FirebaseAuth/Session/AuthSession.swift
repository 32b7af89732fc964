// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import Foundation
import HearthBase
import Logging

/// Performs the actions of `SessionState`, the signed-in user of an app, on behalf of an `Auth` instance.
///
/// App code, other products and the log are called outside of all locks; the file of the signed-in user is read and written outside of the
/// lock of the state.
final class AuthSession: Sendable {
    private weak let app: FirebaseApp?
    private let appName: String
    private let project: String
    private let apiKey: String?
    let settings: AuthSettings
    let surroundings: AuthSurroundings
    /// Held during a change of the user and of its file, so that within the process they never differ. Guards nothing by itself.
    private let changes = Mutex(())
    private let state = Mutex(SessionState())
    private let signIns = Mutex(SignIns())
    private let requestOptions = Mutex(IdentityConfiguration.RequestOptions())

    /// A token is used until this long before its end, in microseconds.
    static let earliness: Int64 = 300_000_000
    /// How long the renewal of a token waits at least.
    private static let leastPause = Duration.seconds(30)

    init(_ app: FirebaseApp, settings: AuthSettings = AuthSettings(), surroundings: AuthSurroundings = AuthSurroundings()) {
        self.app = app
        appName = app.name
        project = app.projectID
        apiKey = app.options.apiKey
        self.settings = settings
        self.surroundings = surroundings
    }

    deinit { state.withLock { $0.scheduledRenewal }?.cancel() }

    // MARK: Changes

    /// Work to do after a change, without holding a lock.
    private struct Consequences: Sendable {
        var observations: [TokenObservation] = []
        var messages: [(level: Logger.Level, text: String)] = []
    }

    /// Makes a change of the user and of its file, at the location that the configuration names now. Notifies observers afterwards: a
    /// change has reached them when the call that made it returns.
    private func change<Failure: Error>(_ body: (inout Consequences) throws(Failure) -> Void) throws(Failure) {
        let (result, consequences) = changes.withLock { _ -> (Result<Void, Failure>, Consequences) in
            var consequences = Consequences()
            follow(&consequences)
            do throws(Failure) {
                try body(&consequences)
                return (.success(()), consequences)
            } catch {
                return (.failure(error), consequences)
            }
        }
        performCalls()
        let log = log
        for message in consequences.messages { log.log(level: message.level, "\(message.text)") }
        for observation in consequences.observations { observation.body() }
        try result.get()
    }

    /// Changes the state, and starts the renewal of the user's token if there is none.
    private func changeState<Answer>(_ body: (inout SessionState) -> sending Answer) -> sending Answer {
        state.withLock { state in
            let answer = body(&state)
            if let user = state.renewable { state.scheduled(renewal(of: user)) }
            return answer
        }
    }

    /// Calls listeners in the order of the changes.
    private func performCalls() {
        guard state.withLock({ $0.calls.begin() }) else { return }
        let queue = settings.values.callbackQueue
        while let calls = state.withLock({ $0.calls.next() }) {
            for call in calls {
                switch call {
                case .listener(let listener, let user): listener.enqueue(user, on: queue)
                case .userChanged(let body): queue.async { body() }
                case .cancel(let task): task.cancel()
                }
            }
        }
    }

    // MARK: The location

    /// The configuration of now.
    private func circumstances(choosing chosen: ServerAddress?) -> SessionState.Circumstances {
        SessionState.Circumstances(
            chosen: chosen, usesRemoteDatabase: app?.usesRemoteDatabase, persistence: settings.values.persistence)
    }

    /// The location that the configuration names now, and the user there.
    private var resolved: (open: OpenPlace?, user: User?) {
        let (chosen, source, user) = state.withLock { ($0.chosen, $0.source, $0.user) }
        if let source, source.circumstances == circumstances(choosing: chosen) { return (source.open, user) }
        change { _ in }
        return state.withLock { ($0.source?.open, $0.user) }
    }

    private func resolve() { _ = resolved }

    /// Moves to the location that the configuration names now.
    private func follow(_ consequences: inout Consequences) {
        let (chosen, old) = state.withLock { ($0.chosen, $0.source) }
        let circumstances = circumstances(choosing: chosen)
        guard old?.circumstances != circumstances else { return }
        let place = IdentityPlace.find(
            chosen: circumstances.chosen, apiKey: apiKey, usesRemoteDatabase: circumstances.usesRemoteDatabase,
            hasFirestore: surroundings.hasFirestore, environment: surroundings.variables)
        let store = UserStore.find(
            circumstances.persistence, app: appName, project: project, place: place, environment: surroundings.variables)
        let open: OpenPlace
        if let old, old.open.place == place {
            open = old.open
        } else {
            consequences.messages.append((.notice, "the accounts of the project \(project) are \(place)"))
            open = OpenPlace(place: place, backend: backend(at: place))
        }
        let source = SessionState.Source(circumstances: circumstances, open: open, store: store)
        guard case .load(let store) = state.withLock({ $0.move(to: source) }) else {
            return state.withLock { $0.moved(to: source) }
        }
        let user = store.load(note: { consequences.messages.append((.warning, $0)) }).map { User($0, at: open, in: self) }
        consequences.observations += changeState { $0.moved(to: source, with: user) }
    }

    private func backend(at place: IdentityPlace) -> any IdentityBackend {
        surroundings.backend(
            place,
            IdentityConfiguration(
                project: project, apiKey: apiKey, clock: surroundings.clock, options: { [weak self] in self?.options ?? .init() }))
    }

    private var log: Logger { FirebaseConfiguration.shared.logger(label: "hearth.auth") }

    // MARK: Reading

    var current: User? { resolved.user }

    /// Does not resolve the location again, for requests in flight.
    var options: IdentityConfiguration.RequestOptions { requestOptions.withLock { $0 } }

    func setOptions(_ change: (inout IdentityConfiguration.RequestOptions) -> Void) { requestOptions.withLock { change(&$0) } }

    /// The place of the accounts now.
    var openPlace: OpenPlace {
        resolved.open ?? OpenPlace(place: .local, backend: LocalIdentity(project: project, clock: surroundings.clock))
    }

    func use(_ address: ServerAddress) {
        state.withLock { $0.chosen = address }
        // The user of that location is restored, and listeners are notified.
        resolve()
    }

    // MARK: Changing the user

    /// Makes a user the current one, or signs out.
    func become(_ user: User?) throws(AuthFailure) {
        try change { (consequences) throws(AuthFailure) in
            switch state.withLock({ $0.become(user) }) {
            case .nothing: return
            case .refuse(let failure): throw failure
            case .save(let store): if let user { try store.save(user.stored) }
            case .remove(let store): try store.remove()
            }
            consequences.observations += changeState { $0.set(user) }
        }
    }

    /// Signs out, if the user is still the current one.
    func end(_ user: User) {
        change { consequences in
            guard let store = state.withLock({ $0.store(of: user) }) else { return }
            do throws(AuthFailure) {
                try store.remove(ifUser: user.uid)
            } catch {
                consequences.messages.append((.warning, error.message))
            }
            consequences.observations += changeState { $0.set(nil) }
        }
    }

    /// Stores changes of a user, and notifies listeners if the token of the current user changed. If another process has stored a
    /// different user, or a sign-out, that state is retained.
    func changed(_ user: User, isToken: Bool) {
        change { consequences in
            guard let store = state.withLock({ $0.store(of: user) }) else { return }
            do throws(AuthFailure) {
                if try !store.update(user.stored) {
                    consequences.messages.append(
                        (
                            .notice,
                            "the signed-in user is not stored, because another process has signed in or out since; the next launch "
                                + "restores what that process stored"
                        ))
                }
            } catch {
                // The session continues; the stored refresh token stays valid.
                consequences.messages.append((.warning, error.message))
            }
            if isToken { consequences.observations += changeState { $0.announce() } }
        }
    }

    /// The tokens in the file of the current user, which another process may have replaced; nil for another user's.
    func storedTokens(of user: User) -> IDTokens? {
        changes.withLock { _ in
            guard let stored = state.withLock({ $0.store(of: user) })?.load(note: { _ in }) else { return nil }
            return stored.profile.uid.utf8.elementsEqual(user.uid.utf8) ? stored.tokens : nil
        }
    }

    /// The app was deleted: listeners are not called any more, and sequences end. The user stays stored.
    func shutDown() {
        let (listeners, before) = changes.withLock { _ in state.withLock { $0.end() } }
        // Objects that the app's closures own are released here, outside of the lock.
        withExtendedLifetime(before) {}
        performCalls()
        for listener in listeners { listener.end() }
    }

    // MARK: Listeners

    /// Called after every change of the user, on the queue of the callbacks.
    func onUserChange(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onUserChange = body } }

    func add(_ listener: UserListener) {
        resolve()
        let isAdded = state.withLock { $0.add(listener) }
        performCalls()
        if !isAdded { listener.end() }
    }

    func remove(_ handle: any NSObjectProtocol) {
        let id = ObjectIdentifier(handle)
        state.withLock { $0.removeListener(id) }?.end()
    }

    func observe(_ body: @escaping @Sendable () -> Void) -> TokenObservation {
        let observation = TokenObservation(body)
        state.withLock { $0.add(observation) }
        return observation
    }

    // MARK: Renewal

    /// From now on the token of the current user is renewed before it expires.
    func startRenewing() {
        resolve()
        changeState { $0.wantRenewal() }
    }

    private func renewal(of user: User) -> Task<Void, Never> {
        Task { [weak self, weak user, surroundings] in
            let wait = (user?.stored.tokens.expiry ?? 0) - Self.earliness - surroundings.clock.now()
            // A server whose tokens are short-lived, or a clock that is wrong, must not make it ask without a pause.
            var delay = max(Self.leastPause, Duration.microseconds(wait))
            var pause = Duration.seconds(60)
            while true {
                await surroundings.sleep(delay)
                guard !Task.isCancelled, let session = self, let user, session.isCurrent(user) else { return }
                do throws(AuthFailure) {
                    // Its success schedules the next renewal.
                    _ = try await user.tokens(forcingRefresh: true)
                    return
                } catch {
                    session.log.info("the token of the signed-in user is not renewed: \(error.message)")
                }
                delay = pause
                pause = min(pause * 2, .seconds(960))
            }
        }
    }

    private func isCurrent(_ user: User) -> Bool { state.withLock { $0.user === user } }

    // MARK: Sign-ins in progress

    var isSigningIn: Bool { signIns.withLock { $0.count > 0 } }

    /// A sign-in begins with the call of the app, before anything is asked of a server.
    func beginSignIn() { countSignIns(+1) }

    /// It has ended, after the user has become the current one, or without a user.
    func endSignIn() { countSignIns(-1) }

    private func countSignIns(_ change: Int) {
        for observation in signIns.withLock({ $0.change(by: change) }) { observation.body() }
    }

    func observeSignIns(_ body: @escaping @Sendable () -> Void) -> (any UserTokenObservation)? {
        let observation = TokenObservation(body)
        signIns.withLock { $0.add(observation) }
        return observation
    }

    /// The current user, if it is anonymous; otherwise a new anonymous account. Concurrent calls get the same one.
    func signInAnonymously() async throws(AuthFailure) -> SignedIn {
        beginSignIn()
        defer { endSignIn() }
        resolve()
        let task = signIns.withLock { signIns in
            if let running = signIns.anonymous { return running }
            if let user = state.withLock({ $0.user }), user.isAnonymous { return Task { .success(SignedIn(user: user, outcome: nil)) } }
            let task = Task { await self.makeAnonymousUser() }
            signIns.anonymous = task
            return task
        }
        return try await task.value.get()
    }

    private func makeAnonymousUser() async -> Result<SignedIn, AuthFailure> {
        defer { signIns.withLock { $0.anonymous = nil } }
        do throws(AuthFailure) {
            return .success(try await signIn(.anonymous))
        } catch {
            return .failure(error)
        }
    }
}
