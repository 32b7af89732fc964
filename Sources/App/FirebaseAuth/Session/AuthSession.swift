// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import Foundation
import Logging

/// The user who is signed in to an app: the state behind an `Auth` instance.
///
/// A lock guards the state. App code is never called under it: listeners are called on the queue of the settings, other products and the
/// log after the lock is released. The file of the signed-in user is read and written under it, so that within the process the file never
/// differs from the state.
final class AuthSession: Sendable {
    /// The inputs that select the location of the accounts and the file of the user, apart from constant ones.
    private struct Circumstances: Hashable {
        var chosen: ServerAddress?
        var usesRemoteDatabase: Bool?
        var persistence: AuthSettings.Persistence
    }

    /// The source and the storage of the current user. If it changes, so does the user.
    private struct Source {
        var circumstances: Circumstances
        var open: OpenPlace
        var store: UserStore
    }

    private struct State {
        var chosen: ServerAddress?
        var options = IdentityConfiguration.RequestOptions()
        var source: Source?
        var user: User?
        /// The id that was announced last, and the call after another one: the notification.
        var announcedID: String?
        var onUserChange: (@Sendable () -> Void)?
        var listeners: [UserListener] = []
        var observations: [WeakObservation] = []
        /// The number of sign-ins in progress.
        var signIns = 0
        /// Called when the first sign-in begins and when the last one ends.
        var signInObservations: [WeakObservation] = []
        /// Whether observers have to be notified of a change.
        var hasNews = false
        /// Messages to log after the lock is released.
        var messages: [(level: Logger.Level, text: String)] = []
        /// Set when another product has asked for a token: from then on it is renewed before it expires.
        var renewsTokens = false
        var renewal: Task<Void, Never>?
        /// The anonymous sign-in in flight, which concurrent callers share.
        var anonymous: Task<Result<SignedIn, AuthFailure>, Never>?
        /// The app was deleted.
        var isOver = false
    }

    /// Work to do after the lock is released.
    private struct Consequences: Sendable {
        var messages: [(level: Logger.Level, text: String)] = []
        var observations: [TokenObservation] = []
    }

    private weak let app: FirebaseApp?
    private let appName: String
    private let project: String
    private let apiKey: String?
    let settings: AuthSettings
    let surroundings: AuthSurroundings
    private let state = Mutex(State())

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

    deinit { state.withLock { $0.renewal }?.cancel() }

    // MARK: State

    /// Runs `body` on the state, at the location that the configuration names now, and notifies observers afterwards: a change has reached
    /// them when the call that made it returns.
    private func withState<Answer: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        let (answer, consequences) = state.withLock { state -> (Result<Answer, Failure>, Consequences) in
            resolve(&state)
            let answer: Result<Answer, Failure>
            do throws(Failure) {
                answer = .success(try body(&state))
            } catch {
                answer = .failure(error)
            }
            return (answer, takeConsequences(&state))
        }
        if !consequences.messages.isEmpty {
            let log = log
            for message in consequences.messages { log.log(level: message.level, "\(message.text)") }
        }
        for observation in consequences.observations { observation.body() }
        return try answer.get()
    }

    private func takeConsequences(_ state: inout State) -> Consequences {
        var consequences = Consequences()
        swap(&consequences.messages, &state.messages)
        guard state.hasNews else { return consequences }
        state.hasNews = false
        state.observations.removeAll { $0.observation == nil }
        consequences.observations = state.observations.compactMap(\.observation)
        return consequences
    }

    private func resolve(_ state: inout State) {
        let circumstances = Circumstances(
            chosen: state.chosen, usesRemoteDatabase: app?.usesRemoteDatabase, persistence: settings.values.persistence)
        guard state.source?.circumstances != circumstances else { return }
        let place = IdentityPlace.find(
            chosen: circumstances.chosen, apiKey: apiKey, usesRemoteDatabase: circumstances.usesRemoteDatabase,
            hasFirestore: surroundings.hasFirestore, environment: surroundings.variables)
        let store = UserStore.find(
            circumstances.persistence, app: appName, project: project, place: place, environment: surroundings.variables)
        guard let old = state.source else {
            let open = reach(place, &state)
            state.source = Source(circumstances: circumstances, open: open, store: store)
            state.user = load(store, open, &state)
            state.announcedID = state.user?.uid
            return
        }
        let open = old.open.place == place ? old.open : reach(place, &state)
        state.source = Source(circumstances: circumstances, open: open, store: store)
        guard old.open.place != place || old.store != store else { return }
        state.user = load(store, open, &state)
        announce(&state)
    }

    private func reach(_ place: IdentityPlace, _ state: inout State) -> OpenPlace {
        state.messages.append((.notice, "the accounts of the project \(project) are \(place)"))
        let backend = surroundings.backend(
            place,
            IdentityConfiguration(
                project: project, apiKey: apiKey, clock: surroundings.clock, options: { [weak self] in self?.options ?? .init() }))
        return OpenPlace(place: place, backend: backend)
    }

    private func load(_ store: UserStore, _ open: OpenPlace, _ state: inout State) -> User? {
        guard !state.isOver else { return nil }
        return store.load(note: { state.messages.append((.warning, $0)) }).map { User($0, at: open, in: self) }
    }

    private var log: Logger { FirebaseConfiguration.shared.logger(label: "hearth.auth") }

    /// Puts a change of the user or of the token in line for listeners and observers.
    private func announce(_ state: inout State) {
        let queue = settings.values.callbackQueue
        for listener in state.listeners { listener.enqueue(state.user, on: queue) }
        if state.user?.uid != state.announcedID, let onUserChange = state.onUserChange { queue.async { onUserChange() } }
        state.announcedID = state.user?.uid
        state.hasNews = true
        scheduleRenewal(&state)
    }

    // MARK: Reading

    var current: User? { withState { $0.user } }

    /// Does not resolve the location again, for requests in flight.
    var options: IdentityConfiguration.RequestOptions { state.withLock { $0.options } }

    func setOptions(_ change: (inout IdentityConfiguration.RequestOptions) -> Void) { state.withLock { change(&$0.options) } }

    /// The place of the accounts now.
    var openPlace: OpenPlace {
        withState { $0.source?.open ?? OpenPlace(place: .local, backend: LocalIdentity(project: project, clock: surroundings.clock)) }
    }

    func use(_ address: ServerAddress) {
        state.withLock { $0.chosen = address }
        // The user of that location is restored, and listeners are notified.
        withState { _ in }
    }

    // MARK: Changing the user

    /// Makes a user the current one, or signs out.
    func become(_ user: User?) throws(AuthFailure) {
        try withState { (state) throws(AuthFailure) in
            if let user {
                guard !state.isOver else {
                    throw AuthFailure(.internalError, "the app was deleted; use the Auth instance of another app, Auth.auth(app:)")
                }
                guard state.source?.open.place == user.open.place else {
                    throw AuthFailure(
                        .internalError,
                        "the place of the accounts has changed during the sign-in; call useEmulator before the first request")
                }
                try state.source?.store.save(user.stored)
            } else {
                guard state.user != nil else { return }
                try state.source?.store.remove()
            }
            state.user = user
            announce(&state)
        }
    }

    /// Signs out, if the user is still the current one.
    func end(_ user: User) {
        withState { state in
            guard state.user === user else { return }
            do throws(AuthFailure) {
                try state.source?.store.remove(ifUser: user.uid)
            } catch {
                state.messages.append((.warning, error.message))
            }
            state.user = nil
            announce(&state)
        }
    }

    /// Stores changes of a user, and notifies listeners if the token of the current user changed. If another process has stored a
    /// different user, or a sign-out, that state is retained.
    func changed(_ user: User, isToken: Bool) {
        withState { state in
            guard state.user === user else { return }
            do throws(AuthFailure) {
                if let store = state.source?.store, try !store.update(user.stored) {
                    state.messages.append(
                        (
                            .notice,
                            "the signed-in user is not stored, because another process has signed in or out since; the next launch "
                                + "restores what that process stored"
                        ))
                }
            } catch {
                // The session continues; the stored refresh token stays valid.
                state.messages.append((.warning, error.message))
            }
            if isToken { announce(&state) }
        }
    }

    /// The app was deleted: listeners are not called any more, and sequences end. The user stays stored.
    func shutDown() {
        let old = state.withLock { state in
            let old = state
            state.isOver = true
            (state.renewal, state.renewsTokens, state.user, state.onUserChange) = (nil, false, nil, nil)
            (state.listeners, state.observations, state.signInObservations) = ([], [], [])
            return old
        }
        // Objects that the app's closures own are released here, outside of the lock.
        old.renewal?.cancel()
        for listener in old.listeners { listener.end() }
    }

    // MARK: Anonymous sign-in

    /// The current user, if it is anonymous; otherwise a new anonymous account. Concurrent calls get the same one.
    func signInAnonymously() async throws(AuthFailure) -> SignedIn {
        beginSignIn()
        defer { endSignIn() }
        let task: Task<Result<SignedIn, AuthFailure>, Never> = withState { state in
            if let running = state.anonymous { return running }
            if let user = state.user, user.isAnonymous { return Task { .success(SignedIn(user: user, outcome: nil)) } }
            let task = Task { () -> Result<SignedIn, AuthFailure> in
                defer { self.state.withLock { $0.anonymous = nil } }
                do throws(AuthFailure) {
                    return .success(try await self.signIn(.anonymous))
                } catch {
                    return .failure(error)
                }
            }
            state.anonymous = task
            return task
        }
        return try await task.value.get()
    }

    // MARK: Listeners

    /// Called after every change of the user, on the queue of the callbacks.
    func onUserChange(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onUserChange = body } }

    func add(_ listener: UserListener) {
        let isOver = withState { state in
            listener.enqueue(state.user, on: settings.values.callbackQueue)
            if !state.isOver { state.listeners.append(listener) }
            return state.isOver
        }
        if isOver { listener.end() }
    }

    func remove(_ handle: any NSObjectProtocol) {
        let removed = state.withLock { state in
            let removed = state.listeners.first { $0 === handle }
            state.listeners.removeAll { $0 === handle }
            return removed
        }
        removed?.end()
    }

    func observe(_ body: @escaping @Sendable () -> Void) -> TokenObservation {
        let observation = TokenObservation(body)
        state.withLock { $0.observations.append(WeakObservation(observation: observation)) }
        return observation
    }

    // MARK: Sign-ins in progress

    var isSigningIn: Bool { state.withLock { $0.signIns > 0 } }

    /// A sign-in begins with the call of the app, before anything is asked of a server.
    func beginSignIn() { countSignIns(+1) }

    /// It has ended, after the user has become the current one, or without a user.
    func endSignIn() { countSignIns(-1) }

    private func countSignIns(_ change: Int) {
        let observations = state.withLock { state -> [TokenObservation] in
            let wasSigningIn = state.signIns > 0
            state.signIns += change
            guard wasSigningIn != (state.signIns > 0) else { return [] }
            state.signInObservations.removeAll { $0.observation == nil }
            return state.signInObservations.compactMap(\.observation)
        }
        for observation in observations { observation.body() }
    }

    func observeSignIns(_ body: @escaping @Sendable () -> Void) -> (any UserTokenObservation)? {
        let observation = TokenObservation(body)
        state.withLock { $0.signInObservations.append(WeakObservation(observation: observation)) }
        return observation
    }

    // MARK: Renewal

    /// From now on the token of the current user is renewed before it expires.
    func startRenewing() {
        withState { state in
            guard !state.renewsTokens, !state.isOver else { return }
            state.renewsTokens = true
            scheduleRenewal(&state)
        }
    }

    private func scheduleRenewal(_ state: inout State) {
        state.renewal?.cancel()
        state.renewal = nil
        guard state.renewsTokens, let user = state.user else { return }
        let wait = user.stored.tokens.expiry - Self.earliness - surroundings.clock.now()
        state.renewal = Task { [weak self, weak user, sleep = surroundings.sleep] in
            // A server whose tokens are short-lived, or a clock that is wrong, must not make it ask without a pause.
            var delay = max(Self.leastPause, Duration.microseconds(wait))
            var pause = Duration.seconds(60)
            while true {
                await sleep(delay)
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
}
