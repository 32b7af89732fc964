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

    func callStarted(_ path: String) { metrics?.callStarted(path) }

    func requestRefused(_ code: FirestoreError.Code, isGRPC: Bool) {
        metrics?.requestRefused(code, isGRPC: isGRPC)
        log.debug("request refused", metadata: ["code": "\(code.canonicalName)", "transport": "\(isGRPC ? "grpc" : "rest")"])
    }

    func callEnded(_ call: RPCCallRecord) {
        metrics?.callEnded(call)
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
