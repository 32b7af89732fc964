// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import HearthBase
import Testing

@testable import FirebaseAuth

/// What a session does: every event in every state.
struct SessionStateTests {
    enum Start: String, CaseIterable, Sendable {
        /// No location has been named.
        case new
        /// A user, or none, is signed in at one location.
        case signedOut, signedIn
        /// The app was deleted.
        case over
    }

    enum Event: String, CaseIterable, Sendable {
        /// One location is named twice, then another file of it, then another location.
        case stay, otherFile, otherPlace
        /// A user of this location, or of another one, signs in, and out again.
        case signIn, signInElsewhere, signOut
        /// The user's account ends, or changes.
        case own, other
        /// The user of another location was read.
        case moved
        case announce
        case addListener, wantRenewal
    }

    /// What is not in the table does nothing. `calls` are those of two listeners, of the notification and of the renewal; `observer` is
    /// notified immediately.
    static let table: [Event: [Start: [String]]] = [
        .stay: [.new: ["load a"]],
        .otherFile: [.new: ["load b"], .signedOut: ["load b"], .signedIn: ["load b"]],
        .otherPlace: [.new: ["load a"], .signedOut: ["load a"], .signedIn: ["load a"]],
        .signIn: [.new: ["refuse: place"], .signedOut: ["save a"], .signedIn: ["save a"], .over: ["refuse: deleted"]],
        .signInElsewhere: [.new: ["refuse: place"], .signedOut: ["refuse: place"], .signedIn: ["refuse: place"], .over: ["refuse: deleted"]],
        .signOut: [.signedIn: ["remove a"]],
        .own: [.signedIn: ["store a"]],
        .moved: [
            .signedOut: ["observer", "listener bert", "notification"],
            .signedIn: ["observer", "listener bert", "notification", "cancel"], .over: [],
        ],
        .announce: [.new: ["observer", "listener -"], .signedOut: ["observer", "listener -"], .signedIn: ["observer", "listener ada", "cancel"]],
        .addListener: [.new: ["kept", "listener -"], .signedOut: ["kept", "listener -"], .signedIn: ["kept", "listener ada"], .over: ["listener -"]],
    ]

    private let app: FirebaseApp
    private let session: AuthSession
    private let observation = TokenObservation {}
    private let listener = UserListener(.token, UserCallback { _ in })

    init() {
        app = .unregistered(projectID: "demo")
        session = AuthSession(app)
    }

    private static func source(_ place: IdentityPlace = .local, file: String = "a", persistence: AuthSettings.Persistence = .memory) -> SessionState.Source {
        SessionState.Source(
            circumstances: .init(persistence: persistence), open: OpenPlace(place: place, backend: LocalIdentity(project: "demo", clock: SystemClock())), store: .file(path: file))
    }

    private func user(_ id: String, at place: IdentityPlace = .local) -> User {
        let tokens = IDTokens(idToken: id, refreshToken: id, expiry: 0)
        return User(
            StoredUser(profile: AccountProfile(uid: id), isAnonymous: false, tokens: tokens),
            at: OpenPlace(place: place, backend: LocalIdentity(project: "demo", clock: SystemClock())), in: session)
    }

    private func state(_ start: Start, _ user: User) -> SessionState {
        var state = SessionState()
        if start != .new {
            _ = state.moved(to: Self.source(), with: nil)
        }
        if start == .signedIn || start == .over { _ = state.set(user) }
        state.onUserChange = {}
        state.add(observation)
        _ = state.add(listener)
        _ = calls(&state)
        if start == .signedIn {
            state.wantRenewal()
            state.scheduled(Task {})
        }
        if start == .over { _ = state.end() }
        return state
    }

    private func apply(_ event: Event, to state: inout SessionState, _ user: User) -> [String] {
        switch event {
        case .stay: return text(state.move(to: Self.source()))
        case .otherFile: return text(state.move(to: Self.source(file: "b")))
        case .otherPlace: return text(state.move(to: Self.source(.google)))
        case .signIn: return text(state.become(self.user("bert")))
        case .signInElsewhere: return text(state.become(self.user("bert", at: .google)))
        case .signOut: return text(state.become(nil))
        case .own: return state.store(of: user).map { ["store \(name($0))"] } ?? []
        case .other: return state.store(of: self.user("ada")).map { ["store \(name($0))"] } ?? []
        case .moved: return state.isOver ? [] : state.moved(to: Self.source(.google), with: self.user("bert")).map { _ in "observer" }
        case .announce: return state.isOver ? [] : state.announce().map { _ in "observer" }
        case .addListener: return state.add(UserListener(.token, UserCallback { _ in })) ? ["kept"] : []
        case .wantRenewal:
            state.wantRenewal()
            return []
        }
    }

    @Test(arguments: Start.allCases, Event.allCases)
    func `every event in every state`(start: Start, event: Event) {
        let user = user("ada")
        var state = state(start, user)
        let said = apply(event, to: &state, user) + calls(&state)
        #expect(said == Self.table[event]?[start] ?? [], "\(event) when \(start)")
    }

    @Test func `a token is renewed while an observer wants it and a user is signed in`() {
        let user = user("ada")
        var state = state(.signedOut, user)
        #expect(state.renewable == nil)
        _ = state.set(user)
        #expect(state.renewable == nil)
        state.wantRenewal()
        #expect(state.renewable === user)
        state.scheduled(Task {})
        #expect(state.renewable == nil && state.scheduledRenewal != nil)
        // A new token: the old renewal is cancelled, and another one is due.
        _ = state.announce()
        #expect(calls(&state).contains("cancel") && state.renewable === user)
        _ = state.set(nil)
        #expect(state.renewable == nil)
        _ = state.end()
        _ = state.set(user)
        #expect(state.renewable == nil)
    }

    @Test func `the notification is for another user, not for another token`() {
        let user = user("ada")
        var state = state(.signedOut, user)
        _ = state.set(user)
        #expect(calls(&state).contains("notification"))
        _ = state.announce()
        _ = state.set(self.user("ada"))
        #expect(!calls(&state).contains("notification"))
    }

    @Test func `the user and the location change together; the first user is no news`() {
        var state = SessionState()
        state.add(observation)
        #expect(state.moved(to: Self.source(), with: user("ada")).isEmpty && calls(&state).isEmpty)
        #expect(state.user?.uid == "ada" && state.source?.open.place == .local)
        state.moved(to: Self.source(.local, file: "a"))
        #expect(state.user?.uid == "ada")
        #expect(state.moved(to: Self.source(.google), with: nil).count == 1)
        #expect(state.user == nil && state.source?.open.place == .google)
    }

    // MARK: Words

    private func calls(_ state: inout SessionState) -> [String] {
        guard state.calls.begin() else { return [] }
        var lines: [String] = []
        while let calls = state.calls.next() {
            lines += calls.map { call in
                switch call {
                case .listener(_, let user): "listener \(user?.uid ?? "-")"
                case .userChanged: "notification"
                case .cancel: "cancel"
                }
            }
        }
        return lines
    }

    private func name(_ store: UserStore) -> String {
        if case .file(let path) = store { path } else { "memory" }
    }

    private func text(_ action: SessionState.MoveAction) -> [String] {
        if case .load(let store) = action { ["load \(name(store))"] } else { [] }
    }

    private func text(_ action: SessionState.BecomeAction) -> [String] {
        switch action {
        case .nothing: []
        case .save(let store): ["save \(name(store))"]
        case .remove(let store): ["remove \(name(store))"]
        case .refuse(let failure): ["refuse: \(failure.message.contains("deleted") ? "deleted" : "place")"]
        }
    }
}
