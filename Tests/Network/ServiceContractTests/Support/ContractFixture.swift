// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

extension Document {
    /// A field as text, for comparing.
    func text(_ field: String) -> String? { (try? fields.map[field]).map { "\($0)" } }
}

func text(_ value: Value) -> String { "\(value)" }
