// SPDX-License-Identifier: Apache-2.0
import Dispatch

/// Carries a closure of the app developer to the queue on which it is called.
///
/// Public closure parameters are not `@Sendable`: annotating them breaks view models that capture `self` (docs/decisions/0006).
///
/// `@unchecked Sendable`: the closure is handed over when the method is called, Hearth does not access it in between, and it is
/// called only on the queue of the settings, the main queue by default. The documentation promises exactly that.
struct UserCallback<Argument>: @unchecked Sendable {
    private let body: (Argument) -> Void

    init(_ body: @escaping (Argument) -> Void) { self.body = body }

    /// Calls the closure; only from the queue of the settings.
    func callAsFunction(_ argument: Argument) { body(argument) }
}

/// A completion handler, which may be missing.
struct Completion<Value: Sendable>: Sendable {
    private let callback: UserCallback<Result<Value, any Error>>?

    init(_ body: ((Value?, (any Error)?) -> Void)?) {
        callback = body.map { body in
            UserCallback { result in
                switch result {
                case .success(let value): body(value, nil)
                case .failure(let error): body(nil, error)
                }
            }
        }
    }

    /// Starts the operation and calls the handler with its result on the queue of the settings.
    ///
    /// - Parameter signsIn: Whether the operation is a sign-in. It has begun when this returns.
    func run(on session: AuthSession, signsIn: Bool = false, _ operation: @escaping @Sendable () async throws -> Value) {
        if signsIn { session.beginSignIn() }
        Task {
            let result: Result<Value, any Error>
            do {
                result = .success(try await operation())
            } catch {
                result = .failure(error)
            }
            if signsIn { session.endSignIn() }
            guard let callback else { return }
            session.settings.values.callbackQueue.async { callback(result) }
        }
    }
}

extension Completion<Void> {
    init(_ body: (((any Error)?) -> Void)?) {
        callback = body.map { body in
            UserCallback { result in
                switch result {
                case .success: body(nil)
                case .failure(let error): body(error)
                }
            }
        }
    }
}
