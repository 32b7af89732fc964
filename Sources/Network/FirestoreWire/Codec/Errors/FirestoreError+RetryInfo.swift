// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension FirestoreError {
    /// A `google.rpc.Status` with a `google.rpc.RetryInfo`, for an error that says when to come back; nil for others.
    package var detailedStatus: [UInt8]? {
        guard let (seconds, attoseconds) = retryDelay?.components else { return nil }
        var writer = ReverseWriter(capacity: 256)
        writer.message(3) { detail in
            detail.message(2) { information in
                information.message(1) { delay in
                    delay.integer(2, Int(attoseconds / 1_000_000_000))
                    delay.integer(1, Int(seconds))
                }
            }
            detail.text(1, "type.googleapis.com/google.rpc.RetryInfo")
        }
        writer.body(of: self)
        return writer.array
    }
}
