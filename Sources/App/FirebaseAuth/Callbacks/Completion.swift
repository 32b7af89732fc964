// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseCore

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
