// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC

extension RPCStatus {
    /// The same on the wire: the code, and the message with what it speaks of.
    package init(_ error: FirestoreError) { self.init(error.code, error.description) }
}

extension FirestoreError {
    /// What the transport said, for code that knows errors of one kind only.
    init(_ status: RPCStatus) { self.init(status.code, status.message) }
}
