package import FirestoreCore

/// Bytes in their order, read once by one thread: a file, or what is packed in one.
package protocol ByteSource: AnyObject {
    /// As messages name it.
    var name: String { get }
    /// Of the file; nil if it is not known beforehand.
    var size: Int64? { get }
    /// How far the file itself has been used when the last `unused` bytes that were handed out have not been.
    func position(without unused: Int) -> Int64
    /// Reads as much as is there, up to the size of `buffer`; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FirestoreError) -> Int
}

extension InputFile: ByteSource {
    package func position(without unused: Int) -> Int64 { position - Int64(unused) }
}

extension ByteSource {
    /// Reads into an array, from an index on.
    func read(into buffer: inout [UInt8], from start: Int) throws(FirestoreError) -> Int {
        // Out of the closure by hand: `withUnsafeMutableBytes` knows no typed errors.
        let result = buffer.withUnsafeMutableBytes { bytes in
            Result { () throws(FirestoreError) in try read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...])) }
        }
        return try result.get()
    }
}
