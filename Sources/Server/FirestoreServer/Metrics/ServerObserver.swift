// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire
import Logging

/// Receives connections and calls for the metrics and the log: internal failures are logged as errors, everything else at debug level.
struct ServerObserver: RPCObserver {
    let metrics: ServerMetrics?
    let log: Logger

    func connectionOpened() { metrics?.connectionOpened() }
    func connectionClosed() { metrics?.connectionClosed() }
    func connectionRefused() {
        metrics?.connectionRefused()
        log.debug("connection refused")
    }

    func callStarted(_ path: String) { callStarted(path, over: .grpc) }
    func callEnded(_ call: RPCCallRecord) { callEnded(call, over: .grpc) }
    func requestRefused(_ code: FirestoreError.Code, isGRPC: Bool) { requestRefused(code, over: isGRPC ? .grpc : .rest) }

    func callStarted(_ path: String, over transport: ServerMetrics.Transport) { metrics?.callStarted(path, over: transport) }

    func requestRefused(_ code: FirestoreError.Code, over transport: ServerMetrics.Transport) {
        metrics?.requestRefused(code, over: transport)
        log.debug("request refused", metadata: ["code": "\(code.canonicalName)", "transport": "\(transport.rawValue)"])
    }

    func callEnded(_ call: RPCCallRecord, over transport: ServerMetrics.Transport) {
        metrics?.callEnded(call, over: transport)
        let level: Logger.Level =
            switch call.code {
            case .internal, .dataLoss, .unknown: .error
            default: .debug
            }
        guard log.logLevel <= level else { return }
        log.log(
            level: level, "call ended",
            metadata: [
                "path": "\(call.path)", "code": "\(call.code.canonicalName)", "milliseconds": "\(call.duration / .milliseconds(1))",
                "received": "\(call.received)", "sent": "\(call.sent)",
            ])
    }
}
