// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC
import FirestoreWire
package import Logging

/// Receives connections and calls for the metrics and the log: internal failures are logged as errors, everything else at debug level.
package struct ServerObserver: RPCObserver {
    package let metrics: ServerMetrics?
    package let log: Logger
    private let sheds: ShedLog

    package init(metrics: ServerMetrics?, log: Logger) {
        self.metrics = metrics
        self.log = log
        sheds = ShedLog { log.warning("protected itself from clients", metadata: $0) }
    }

    package func connectionOpened() { metrics?.connectionOpened() }
    package func connectionClosed() { metrics?.connectionClosed() }
    package func connectionRefused() { metrics?.connectionRefused() }

    package func shed(_ reason: ShedReason) {
        metrics?.shed(reason)
        sheds.note(reason)
    }

    package func callStarted(_ path: String) { callStarted(path, over: .grpc) }
    package func callEnded(_ call: RPCCallRecord) { callEnded(call, over: .grpc) }
    package func requestRefused(_ code: FirestoreError.Code, isGRPC: Bool) { requestRefused(code, over: isGRPC ? .grpc : .rest) }

    package func callStarted(_ path: String, over transport: ServerMetrics.Transport) { metrics?.callStarted(path, over: transport) }

    package func requestRefused(_ code: FirestoreError.Code, over transport: ServerMetrics.Transport) {
        metrics?.requestRefused(code, over: transport)
        log.debug("request refused", metadata: ["code": "\(code.canonicalName)", "transport": "\(transport.rawValue)"])
    }

    package func callEnded(_ call: RPCCallRecord, over transport: ServerMetrics.Transport) {
        metrics?.callEnded(call, over: transport)
        let level: Logger.Level =
            switch call.code {
            case .internal, .dataLoss, .unknown: .error
            default: .debug
            }
        guard log.logLevel <= level else { return }
        var metadata: Logger.Metadata = [
            "path": "\(call.path)", "code": "\(call.code.canonicalName)", "milliseconds": "\(call.duration / .milliseconds(1))",
            "received": "\(call.received)", "sent": "\(call.sent)",
        ]
        if let trace = TraceHeader.trace(in: call.metadata) { metadata["trace"] = "\(trace)" }
        log.log(level: level, "call ended", metadata: metadata)
    }
}
