// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import HearthBase
import Logging

/// The signed-in user of an app and its observers. Pure: each event returns its actions, or queues them until the lock is released.
struct SessionState {
    /// The inputs that select the location of the accounts and the file of the user, apart from constant ones.
    struct Circumstances: Hashable {
        var chosen: ServerAddress?
        var usesRemoteDatabase: Bool?
        var persistence: AuthSettings.Persistence
    }

    /// The source and the storage of the current user. If it changes, so does the user.
    struct Source {
        var circumstances: Circumstances
        var open: OpenPlace
        var store: UserStore
    }

    /// The actions, in the order of the changes.
    enum Call: Sendable {
        case listener(UserListener, User?)
        case userChanged(@Sendable () -> Void)
        case cancel(Task<Void, Never>)
    }

    /// The renewal of the current user's token before it expires.
    private enum Renewal {
        /// No other product has asked for a token.
        case unwanted
        case waiting
        case scheduled(Task<Void, Never>)
    }

    var chosen: ServerAddress?
    private(set) var source: Source?
    private(set) var user: User?
    /// The id that was announced last, and the call after another one: the notification.
    private var announcedID: String?
    var onUserChange: (@Sendable () -> Void)?
    private var listeners: [UserListener] = []
    private var observations = Observations()
    private var renewal = Renewal.unwanted
    /// The app was deleted.
    private(set) var isOver = false
    var calls = ActionQueue<Call>()

    // MARK: The location

    enum MoveAction {
        /// The user stays.
        case stay
        /// The location has the user of this store.
        case load(UserStore)
    }

    /// The configuration names a location. Do it, then call `moved`.
    func move(to source: Source) -> MoveAction {
        let isSame = self.source?.open.place == source.open.place && self.source?.store == source.store
        return isSame || isOver ? .stay : .load(source.store)
    }

    mutating func moved(to source: Source) { self.source = source }

    /// The user of the location was read. Returns the observers to notify.
    mutating func moved(to source: Source, with user: User?) -> [TokenObservation] {
        let isFirst = self.source == nil
        self.source = source
        guard isFirst else { return set(user) }
        self.user = user
        announcedID = user?.uid
        return []
    }

    // MARK: Changes of the user

    enum BecomeAction {
        case nothing
        case save(UserStore)
        case remove(UserStore)
        case refuse(AuthFailure)
    }

    /// The current user changes, perhaps to nil. Change it, then call `set`.
    func become(_ user: User?) -> BecomeAction {
        guard let user else { return self.user == nil ? .nothing : .remove(source?.store ?? .memory) }
        guard !isOver else {
            return .refuse(AuthFailure(.internalError, "the app was deleted; use the Auth instance of another app, Auth.auth(app:)"))
        }
        guard source?.open.place == user.open.place else {
            return .refuse(
                AuthFailure(
                    .internalError,
                    "the place of the accounts has changed during the sign-in; call useEmulator before the first request"))
        }
        return .save(source?.store ?? .memory)
    }

    /// The store of a user; nil if another one is the current one.
    func store(of user: User) -> UserStore? { self.user === user ? source?.store : nil }

    /// A user is the current one. Returns the observers to notify.
    mutating func set(_ user: User?) -> [TokenObservation] {
        self.user = user
        return announce()
    }

    /// Puts a change of the user or of the token in line for listeners. Returns the observers to notify.
    mutating func announce() -> [TokenObservation] {
        for listener in listeners { calls.append(.listener(listener, user)) }
        if user?.uid != announcedID, let onUserChange { calls.append(.userChanged(onUserChange)) }
        announcedID = user?.uid
        stopRenewal()
        return observations.living()
    }

    // MARK: Listeners

    /// Returns false if the listener is called once only, because the app was deleted.
    mutating func add(_ listener: UserListener) -> Bool {
        calls.append(.listener(listener, user))
        if !isOver { listeners.append(listener) }
        return !isOver
    }

    mutating func removeListener(_ id: ObjectIdentifier) -> UserListener? {
        listeners.firstIndex { ObjectIdentifier($0) == id }.map { listeners.remove(at: $0) }
    }

    mutating func add(_ observation: TokenObservation) { observations.add(observation) }

    // MARK: Renewal

    /// Another product has asked for a token.
    mutating func wantRenewal() {
        if case .unwanted = renewal, !isOver { renewal = .waiting }
    }

    /// The user whose token is to be renewed, for `scheduled`.
    var renewable: User? {
        if case .waiting = renewal { user } else { nil }
    }

    mutating func scheduled(_ task: Task<Void, Never>) { renewal = .scheduled(task) }

    /// The renewal that is scheduled.
    var scheduledRenewal: Task<Void, Never>? {
        if case .scheduled(let task) = renewal { task } else { nil }
    }

    private mutating func stopRenewal() {
        guard case .scheduled(let task) = renewal else { return }
        calls.append(.cancel(task))
        renewal = .waiting
    }

    // MARK: The end

    /// The app was deleted. Returns the listeners, and the state before, which is to be released outside of the lock: app code may own it.
    mutating func end() -> (listeners: [UserListener], before: SessionState) {
        let before = self
        stopRenewal()
        (user, onUserChange, listeners, observations, renewal) = (nil, nil, [], Observations(), .unwanted)
        isOver = true
        return (before.listeners, before)
    }
}
