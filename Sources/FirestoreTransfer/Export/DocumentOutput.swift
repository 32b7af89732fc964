package import FirestoreCore

/// A file or folder that documents are written into, one after the other.
package protocol DocumentOutput: AnyObject {
    func write(_ document: TransferredDocument) throws(FirestoreError)

    /// Everything is there. Only now the output gets the name it was asked for.
    func finish() throws(FirestoreError)

    var bytesWritten: Int64 { get }
}
