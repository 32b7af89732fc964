#if Remote
package import FirestoreCore

/// How a call ended, if not well.
package struct RPCStatus: Error, Sendable, Hashable {
    package var code: FirestoreError.Code
    package var message: String
    /// An encoded `google.rpc.Status` with details, for `grpc-status-details-bin`; nil for none.
    package var details: ByteSlice?

    package init(_ code: FirestoreError.Code, _ message: String, details: ByteSlice? = nil) {
        self.code = code
        self.message = message
        self.details = details
    }
}
#endif
