// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Bytes in order, read once by one thread: a file, or the decompressed content of one.
package protocol ByteSource: AnyObject {
    /// The name for messages.
    var name: String { get }
    /// The size of the file; nil if it is not known beforehand.
    var size: Int64? { get }
    /// The position in the file itself, without the last `unused` bytes that were handed out.
    func position(without unused: Int) -> Int64
    /// Reads the available bytes, up to the size of `buffer`; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FirestoreError) -> Int
}

extension InputFile: ByteSource {
    package func position(without unused: Int) -> Int64 { position - Int64(unused) }
}

extension ByteSource {
    /// Reads into an array, beginning at an index.
    func read(into buffer: inout [UInt8], from start: Int) throws(FirestoreError) -> Int {
        // The error leaves the closure in a result, because `withUnsafeMutableBytes` does not support typed throws.
        let result = buffer.withUnsafeMutableBytes { bytes in
            Result { () throws(FirestoreError) in try read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...])) }
        }
        return try result.get()
    }
}
