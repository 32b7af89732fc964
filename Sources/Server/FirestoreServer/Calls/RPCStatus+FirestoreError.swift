// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC
import FirestoreWire

extension RPCStatus {
    /// The error on the wire: the code, and the message with the location.
    package init(_ error: FirestoreError) {
        self.init(error.code, error.description, details: error.detailedStatus.map { ByteSlice($0) })
    }
}

extension FirestoreError {
    /// A transport error, for code that handles only one type of error.
    package init(_ status: RPCStatus) { self.init(status.code, status.message) }
}
