// SPDX-License-Identifier: Apache-2.0
import FirebaseCore

/// The two-argument form of completion handlers: a value or an error.
extension UserCallback {
    init<Value>(_ body: @escaping (Value?, (any Error)?) -> Void) where Argument == Result<Value, any Error> {
        self.init { result in
            switch result {
            case .success(let value): body(value, nil)
            case .failure(let error): body(nil, publicForm(of: error))
            }
        }
    }
}
