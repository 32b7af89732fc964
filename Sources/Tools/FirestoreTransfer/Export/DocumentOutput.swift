// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A file or folder that documents are written into, one after the other.
package protocol DocumentOutput: AnyObject {
    func write(_ document: TransferredDocument) throws(FirestoreError)

    /// Completes the output, which gets its final name now.
    func finish() throws(FirestoreError)

    var bytesWritten: Int64 { get }
}
