// SPDX-License-Identifier: Apache-2.0
package import Dispatch
package import FirebaseCore
package import FirebaseFirestore
import FirestoreCore
import Foundation
import TestSupport

/// Databases for tests, in the mode of this run (`Mode`): each in a separate project, with callbacks on a separate queue.
package enum Scratch {
    private static let number = Mutex(0)
    /// Servers outlive a run, and serve the processes that some tests start.
    private static let run = UUID().uuidString.prefix(8).lowercased()

    private static func next() -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }

    package static func app(project: String? = nil) -> FirebaseApp {
        let number = next()
        let options = FirebaseOptions(googleAppID: "1:1:hearth:1", gcmSenderID: "1")
        options.projectID = project ?? "demo-\(run)-\(number)"
        let name = "scratch-\(number)"
        FirebaseApp.configure(name: name, options: options)
        return FirebaseApp.app(name: name)!
    }

    /// An empty database.
    package static func firestore(callbacks: DispatchQueue = DispatchQueue(label: "hearth.tests.callbacks")) -> Firestore {
        #if Remote
            if Mode.current == .loopback {
                let firestore = LoopbackPlace.firestore(DatabaseID(projectID: "demo-\(run)-\(next())"))
                let settings = firestore.settings
                settings.dispatchQueue = callbacks
                firestore.settings = settings
                return firestore
            }
        #endif
        return firestore(of: app(), callbacks: callbacks)
    }

    /// A database that the registry of apps gives out; not in the loopback mode (`ModeTable.instances`).
    package static func firestore(
        of app: FirebaseApp, database: String = "(default)", callbacks: DispatchQueue = DispatchQueue(label: "hearth.tests.callbacks")
    ) -> Firestore {
        let firestore = Firestore.firestore(app: app, database: database)
        switch Mode.current {
        case .embedded, .loopback: break
        case .server, .emulator:
            let address = ModeAddress.current
            firestore.useEmulator(withHost: address.host, port: address.port)
        }
        let settings = firestore.settings
        settings.storage = .memory
        settings.cacheSettings = ModeCache.current.settings
        settings.dispatchQueue = callbacks
        settings.cacheDirectory = ScratchCaches.directory
        firestore.settings = settings
        return firestore
    }
}

/// The error a body throws, nil if it does not.
package func failure<Value>(_ body: () async throws -> Value) async -> (any Error)? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

/// Whether an error is Firestore's, with a code and a text that contains all of some words (where texts are compared).
package func isFailure(_ error: (any Error)?, _ code: FirestoreErrorCode.Code, naming words: String...) -> Bool {
    guard let error, let failure = error as? FirestoreErrorCode, failure.code == code else { return false }
    guard Mode.can(.errorTexts) else { return true }
    return words.allSatisfy { $0.isEmpty || failure.localizedDescription.contains($0) }
}

/// Waits for the one call of a completion handler.
package nonisolated(nonsending) func completion<Value: Sendable>(_ start: (@escaping @Sendable (Value) -> Void) -> Void) async -> Value {
    await withCheckedContinuation { continuation in
        start { continuation.resume(returning: $0) }
    }
}

/// What a completion handler receives that takes only an error.
package func told(_ start: (@escaping @Sendable ((any Error)?) -> Void) throws -> Void) async -> (any Error)? {
    await completion { done in
        do {
            try start(done)
        } catch {
            done(error)
        }
    }
}

/// Runs code as in a function that is not `async`, where calls mean their forms that do not wait.
package func synchronously(_ body: () throws -> Void) rethrows { try body() }

/// Collects what a listener receives, and lets a test wait for it.
package final class Collector<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var waiting: [(condition: @Sendable ([Element]) -> Bool, continuation: CheckedContinuation<[Element], Never>)] = []
    }

    private let state = Mutex(State())

    package init() {}

    package func append(_ element: Element) {
        let ready = state.withLock { state in
            state.elements.append(element)
            let elements = state.elements
            let ready = state.waiting.filter { $0.condition(elements) }
            state.waiting.removeAll { $0.condition(elements) }
            return ready.map { ($0.continuation, elements) }
        }
        for (continuation, elements) in ready { continuation.resume(returning: elements) }
    }

    package var elements: [Element] { state.withLock { $0.elements } }

    /// The elements, as soon as they meet a condition.
    package func elements(where condition: @escaping @Sendable ([Element]) -> Bool) async -> [Element] {
        await withCheckedContinuation { continuation in
            let elements: [Element]? = state.withLock { state in
                if condition(state.elements) { return state.elements }
                state.waiting.append((condition, continuation))
                return nil
            }
            if let elements { continuation.resume(returning: elements) }
        }
    }

    package func first(_ count: Int) async -> [Element] { await elements { $0.count >= count } }
}
