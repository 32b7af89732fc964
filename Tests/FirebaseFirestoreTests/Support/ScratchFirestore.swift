import FirebaseCore
import FirebaseFirestore
import FirestoreCore
import Foundation

/// Databases for tests: in memory, one per test, callbacks on a queue of their own.
enum Scratch {
    private static let number = Mutex(0)

    static func app(project: String? = nil) -> FirebaseApp {
        let number = number.withLock { number in
            number += 1
            return number
        }
        let options = FirebaseOptions(googleAppID: "1:1:hearth:1", gcmSenderID: "1")
        options.projectID = project ?? "demo-\(number)"
        let name = "scratch-\(number)"
        FirebaseApp.configure(name: name, options: options)
        return FirebaseApp.app(name: name)!
    }

    static func firestore(callbacks: DispatchQueue = DispatchQueue(label: "hearth.tests.callbacks")) -> Firestore {
        let firestore = Firestore.firestore(app: app())
        let settings = firestore.settings
        settings.storage = .memory
        settings.dispatchQueue = callbacks
        firestore.settings = settings
        return firestore
    }
}

/// The error a body throws, nil if it does not.
func failure<Value>(_ body: () async throws -> Value) async -> (any Error)? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

/// Whether an error is Firestore's, with a code and a text that contains all of some words.
func isFailure(_ error: (any Error)?, _ code: FirestoreErrorCode.Code, naming words: String...) -> Bool {
    guard let error, let failure = error as? FirestoreErrorCode, failure.code == code else { return false }
    return words.allSatisfy { $0.isEmpty || failure.localizedDescription.contains($0) }
}

/// Waits for the one call of a completion handler.
nonisolated(nonsending) func completion<Value: Sendable>(_ start: (@escaping @Sendable (Value) -> Void) -> Void) async -> Value {
    await withCheckedContinuation { continuation in
        start { continuation.resume(returning: $0) }
    }
}

/// Collects what a listener is told, and lets a test wait for it.
final class Collector<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var waiting: [(condition: @Sendable ([Element]) -> Bool, continuation: CheckedContinuation<[Element], Never>)] = []
    }

    private let state = Mutex(State())

    func append(_ element: Element) {
        let ready = state.withLock { state in
            state.elements.append(element)
            let elements = state.elements
            let ready = state.waiting.filter { $0.condition(elements) }
            state.waiting.removeAll { $0.condition(elements) }
            return ready.map { ($0.continuation, elements) }
        }
        for (continuation, elements) in ready { continuation.resume(returning: elements) }
    }

    var elements: [Element] { state.withLock { $0.elements } }

    /// The elements, as soon as they meet a condition.
    func elements(where condition: @escaping @Sendable ([Element]) -> Bool) async -> [Element] {
        await withCheckedContinuation { continuation in
            let elements: [Element]? = state.withLock { state in
                if condition(state.elements) { return state.elements }
                state.waiting.append((condition, continuation))
                return nil
            }
            if let elements { continuation.resume(returning: elements) }
        }
    }

    func first(_ count: Int) async -> [Element] { await elements { $0.count >= count } }
}
