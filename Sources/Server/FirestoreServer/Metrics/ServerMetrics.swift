// SPDX-License-Identifier: Apache-2.0
package import CoreMetrics
package import FirestoreCore
package import FirestoreRPC
import FirestoreWire

/// The server's metrics: connections, calls by method and code, their durations and bytes.
package final class ServerMetrics: RPCObserver {
    /// The protocol of a call.
    package enum Transport: String, CaseIterable, Sendable {
        case grpc, rest
        case webChannel = "webchannel"
    }

    private let connections: Meter
    private let connectionsTotal: Counter
    private let connectionsRefused: Counter
    private let databases: Meter
    private let tasks: Meter
    private let logBytes: Meter
    private let freeBytes: Meter
    private let expired: Counter
    /// The number of expired documents that the counter has.
    private let expiredCount = Mutex(0)
    private let expiryDelay: Meter
    private let methods: [String: MethodMetrics]
    /// For paths without a method: their names must not become labels.
    private let unknown: MethodMetrics
    private let refused: [Transport: CodeCounters]
    private let shed: [ShedReason: Counter]
    /// The counters that the console shows.
    package let usage: UsageFigures
    package let byDatabase = DatabaseMetrics()

    package init(factory: any MetricsFactory) {
        let usage = UsageFigures()
        self.usage = usage
        connections = Meter(label: "hearth_connections", factory: factory)
        connectionsTotal = Counter(label: "hearth_connections_total", factory: factory)
        connectionsRefused = Counter(label: "hearth_connections_refused_total", factory: factory)
        databases = Meter(label: "hearth_databases_open", factory: factory)
        tasks = Meter(label: "hearth_call_tasks", factory: factory)
        logBytes = Meter(label: "hearth_wal_bytes", factory: factory)
        freeBytes = Meter(label: "hearth_disk_free_bytes", factory: factory)
        expired = Counter(label: "hearth_ttl_deleted_total", factory: factory)
        expiryDelay = Meter(label: "hearth_ttl_oldest_seconds", factory: factory)
        methods = Dictionary(
            uniqueKeysWithValues: FirestoreMethod.allCases.map { ($0.path, MethodMetrics($0.rawValue, factory, usage, $0)) })
        unknown = MethodMetrics("other", factory, usage, nil)
        shed = Dictionary(
            uniqueKeysWithValues: ShedReason.allCases.map {
                ($0, Counter(label: "hearth_shed_total", dimensions: [("reason", $0.rawValue)], factory: factory))
            })
        refused = Dictionary(
            uniqueKeysWithValues: Transport.allCases.map {
                ($0, CodeCounters("hearth_requests_refused_total", [("transport", $0.rawValue)], factory))
            })
    }

    package func connectionOpened() {
        connections.increment()
        connectionsTotal.increment()
        usage.connectionOpened()
    }

    package func connectionClosed() {
        connections.decrement()
        usage.connectionClosed()
    }

    package func connectionRefused() { connectionsRefused.increment() }
    package func shed(_ reason: ShedReason) { shed[reason]?.increment() }

    package func callStarted(_ path: String) { callStarted(path, over: .grpc) }
    package func callEnded(_ call: RPCCallRecord) { callEnded(call, over: .grpc) }
    package func requestRefused(_ code: FirestoreError.Code, isGRPC: Bool) { requestRefused(code, over: isGRPC ? .grpc : .rest) }

    package func callStarted(_ path: String, over transport: Transport) { (methods[path] ?? unknown).started(transport) }

    package func callEnded(_ call: RPCCallRecord, over transport: Transport) {
        let figures = CallFigures(code: call.code, duration: call.duration, received: call.received, sent: call.sent)
        (methods[call.path] ?? unknown).ended(figures, transport)
    }

    package func requestRefused(_ code: FirestoreError.Code, over transport: Transport) { refused[transport]?.counter(code).increment() }

    package func restCallStarted(_ path: String) { (methods[path] ?? unknown).started(.rest) }
    package func restCallEnded(_ path: String, _ figures: CallFigures) { (methods[path] ?? unknown).ended(figures, .rest) }

    /// Updates values that are counted elsewhere, before metrics are read.
    /// - Parameter freeBytes: Of the disk of the databases.
    package func refresh(freeBytes: Int64) { self.freeBytes.set(freeBytes) }

    package func refresh(_ expiry: ExpiryCompanion) {
        let count = expiry.deletedCount
        let added = expiredCount.withLock { known in
            defer { known = max(known, count) }
            return count - known
        }
        if added > 0 { expired.increment(by: added) }
        expiryDelay.set(expiry.delay)
    }

    /// Updates values that are counted elsewhere, before metrics are read.
    package func refresh(databases: Int, tasks: Int, logBytes: Int64) {
        self.databases.set(databases)
        self.tasks.set(tasks)
        self.logBytes.set(logBytes)
    }
}

/// The metrics of one call.
package struct CallFigures: Sendable {
    package var code: FirestoreError.Code
    package var duration: Duration
    /// Bytes of messages.
    package var received: Int
    package var sent: Int

    package init(code: FirestoreError.Code, duration: Duration, received: Int, sent: Int) {
        self.code = code
        self.duration = duration
        self.received = received
        self.sent = sent
    }
}

/// The metrics of one method. Created when first used: a server uses few of the possible codes.
private final class MethodMetrics: Sendable {
    private let method: String
    private let factory: any MetricsFactory
    private let codes: [ServerMetrics.Transport: CodeCounters]
    private let duration: Timer
    private let open: Meter
    private let received: Counter
    private let sent: Counter
    private let usage: UsageFigures
    private let isListen: Bool
    /// Whether the client decides how long a call lasts.
    private let lasts: Bool

    init(_ method: String, _ factory: any MetricsFactory, _ usage: UsageFigures, _ known: FirestoreMethod?) {
        self.usage = usage
        isListen = known == .listen
        lasts = known?.streaming == .both
        self.method = method
        self.factory = factory
        let dimensions = [("method", method)]
        codes = Dictionary(
            uniqueKeysWithValues: ServerMetrics.Transport.allCases.map {
                ($0, CodeCounters("hearth_calls_total", dimensions + [("transport", $0.rawValue)], factory))
            })
        duration = Timer(label: "hearth_call_duration_seconds", dimensions: dimensions, factory: factory)
        open = Meter(label: "hearth_calls_open", dimensions: dimensions, factory: factory)
        received = Counter(label: "hearth_received_bytes_total", dimensions: dimensions, factory: factory)
        sent = Counter(label: "hearth_sent_bytes_total", dimensions: dimensions, factory: factory)
    }

    func started(_ transport: ServerMetrics.Transport) {
        open.increment()
        if isListen { usage.listenerOpened() }
    }

    func ended(_ call: CallFigures, _ transport: ServerMetrics.Transport) {
        open.decrement()
        if isListen { usage.listenerClosed() }
        usage.ended(call.code, lasts ? nil : call.duration)
        codes[transport]?.counter(call.code).increment()
        let (seconds, attoseconds) = call.duration.components
        duration.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        received.increment(by: call.received)
        sent.increment(by: call.sent)
    }
}

/// A counter for each code, created when first used.
private final class CodeCounters: Sendable {
    private let label: String
    private let dimensions: [(String, String)]
    private let factory: any MetricsFactory
    private let counters: Mutex<[Counter?]>

    init(_ label: String, _ dimensions: [(String, String)], _ factory: any MetricsFactory) {
        self.label = label
        self.dimensions = dimensions
        self.factory = factory
        counters = Mutex(Array(repeating: nil, count: FirestoreError.Code.allCases.count))
    }

    func counter(_ code: FirestoreError.Code) -> Counter {
        counters.withLock { counters in
            if let counter = counters[code.rawValue] { return counter }
            let counter = Counter(label: label, dimensions: dimensions + [("code", code.canonicalName)], factory: factory)
            counters[code.rawValue] = counter
            return counter
        }
    }
}
