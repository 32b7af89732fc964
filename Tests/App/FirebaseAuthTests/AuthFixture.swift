// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseCore
import FirestoreCore
import Foundation
import TestSupport

@testable import FirebaseAuth

/// An app of its own with a folder, a clock and a place of accounts. `auth()` is a new process, as Auth sees it.
final class AuthFixture: Sendable {
    let folder: ScratchFolder
    let clock = ManualClock(microseconds: 1_800_000_000_000_000)
    let app: FirebaseApp
    let queue = DispatchQueue(label: "callbacks")
    let sleeps = Sleeps()

    init(apiKey: String? = nil, project: String = "demo-auth") throws {
        folder = try ScratchFolder()
        let options = FirebaseOptions(googleAppID: "1:1:hearth:1", gcmSenderID: "1")
        options.projectID = project
        options.apiKey = apiKey
        let name = "auth-\(AutoID.make())"
        FirebaseApp.configure(name: name, options: options)
        app = FirebaseApp.app(name: name) ?? .unregistered(projectID: project)
    }

    func auth(
        _ variables: [String: String] = [:], persistence: AuthSettings.Persistence? = nil,
        backend: (@Sendable (IdentityPlace, IdentityConfiguration) -> any IdentityBackend)? = nil
    ) -> Auth {
        let settings = AuthSettings()
        settings.persistence = persistence ?? .directory(folder.url)
        settings.callbackQueue = queue
        var surroundings = AuthSurroundings()
        surroundings.clock = clock
        surroundings.sleep = { [sleeps] in await sleeps.sleep($0) }
        surroundings.variables = variables
        if let backend { surroundings.backend = backend }
        return Auth(app, AuthSession(app, settings: settings, surroundings: surroundings))
    }

    /// Runs what is in line on the queue of the callbacks.
    func drain() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
}

/// Sleeps that end when the test says so.
final class Sleeps: Sendable {
    private struct State {
        var waiting: [(duration: Duration, continuation: CheckedContinuation<Void, Never>)] = []
        var begun: [Duration] = []
    }

    private let state = Mutex(State())

    /// All that have begun.
    var begun: [Duration] { state.withLock { $0.begun } }

    func sleep(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.begun.append(duration)
                state.waiting.append((duration, continuation))
            }
        }
    }

    /// Ends all that wait.
    func wakeAll() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for sleeper in waiting { sleeper.continuation.resume() }
    }

    deinit { wakeAll() }
}

/// Holds whatever waits until it is opened.
final class Gate: Sendable {
    private let state = Mutex((isOpen: false, waiting: [CheckedContinuation<Void, Never>]()))

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
