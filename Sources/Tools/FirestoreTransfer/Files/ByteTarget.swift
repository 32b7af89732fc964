// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Where bytes are written in order, by one thread at a time: a file, or a connection.
package protocol ByteTarget: AnyObject {
    /// The number of bytes written so far.
    var position: Int64 { get }
    func append(_ bytes: [UInt8]) throws(FirestoreError)
    /// Everything is written.
    func finish() throws(FirestoreError)
}

extension OutputFile: ByteTarget {}
