// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC
package import FirestoreWire

/// Records the calls of a server, for its operator. A server without one hands out its methods as they are.
package protocol CallRecorder: Sendable {
    /// The method with its calls recorded. Every transport gets its methods through here, so that all calls are.
    func recording(_ method: RPCMethod, _ name: FirestoreMethod, _ transport: ServerMetrics.Transport) -> RPCMethod

    /// Records a call that was rejected before its method got it.
    func refused(
        _ method: FirestoreMethod, _ transport: ServerMetrics.Transport, _ info: RPCCallInfo, _ code: FirestoreError.Code,
        _ message: String, _ outline: RequestOutline, received: Int)
}
