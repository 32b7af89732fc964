// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension Write {
    /// Whether its fields contain a server timestamp that the authority has not assigned, which must not be sent (SY-38).
    ///
    /// Visits maps only: such a value is never in an array.
    package var hasPendingTimestamp: Bool {
        switch operation {
        case .set(let fields), .patch(let fields, _):
            defer { withExtendedLifetime(fields) {} }
            return Self.hasPendingTimestamp(FieldsView(fields.bytes.buffer))
        case .delete, .verify: return false
        }
    }

    private static func hasPendingTimestamp(_ fields: FieldsView) -> Bool {
        var entries = fields.makeIterator()
        while let (_, value) = entries.next() {
            guard value.kind == .map, let inner = value.fields else { continue }
            if PendingTimestamp(value) != nil || hasPendingTimestamp(inner) { return true }
        }
        return false
    }
}
