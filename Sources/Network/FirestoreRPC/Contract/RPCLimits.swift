// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Limits of a connection and of a message. Every queue of the module is bounded by one of them.
package struct RPCLimits: Sendable {
    /// The largest message, after inflating.
    package var messageSize: Int
    /// The largest body of HTTP requests to some paths, where it is not the same.
    package var bodySizes: [String: Int] = [:]
    /// The status code for a larger one. Firestore uses `invalidArgument`, where gRPC uses `resourceExhausted`.
    package var oversizedCode: FirestoreError.Code
    package var streamWindow: Int
    package var connectionWindow: Int
    package var concurrentStreams: Int
    package var headerListSize: Int
    /// A call is not writable above this many bytes that are not yet written to the socket…
    package var unconfirmedHighMark: Int
    /// …until no more than this many are left.
    package var unconfirmedLowMark: Int
    /// A call that queues more than this while it is not writable is ended.
    package var unconfirmedPerStream: Int
    /// Bytes of requests and answers above which no further call of the connection is run, until the peer has read some.
    package var budgetPerConnection: Int
    /// Bytes of requests being answered, or not yet taken, above which the connection's window stays closed.
    package var heldPerConnection: Int
    /// Bytes of incomplete messages. A message that exceeds it is rejected.
    package var collectingPerConnection: Int
    /// RST_STREAM of young streams, and streams in error, in 30 seconds.
    package var resetsPerHalfMinute: Int
    /// PING, SETTINGS, PRIORITY, unknown and empty frames, in 30 seconds.
    package var controlFramesPerHalfMinute: Int
    /// WINDOW_UPDATE in 30 seconds, beside those that what was sent explains.
    package var windowUpdatesPerHalfMinute: Int
    /// Parts of a header block behind the first.
    package var continuations: Int

    package init(
        messageSize: Int = (10 << 20) + (64 << 10), oversizedCode: FirestoreError.Code = .resourceExhausted,
        streamWindow: Int = 4 << 20, connectionWindow: Int = 16 << 20, concurrentStreams: Int = 1000,
        headerListSize: Int = 16 << 10, unconfirmedHighMark: Int = 128 << 10, unconfirmedLowMark: Int = 32 << 10,
        unconfirmedPerStream: Int = 64 << 20, budgetPerConnection: Int = 16 << 20, heldPerConnection: Int = 32 << 20,
        collectingPerConnection: Int = 48 << 20, resetsPerHalfMinute: Int = 200, controlFramesPerHalfMinute: Int = 200,
        windowUpdatesPerHalfMinute: Int = 2_000, continuations: Int = 16
    ) {
        self.messageSize = messageSize
        self.oversizedCode = oversizedCode
        self.streamWindow = streamWindow
        self.connectionWindow = connectionWindow
        self.concurrentStreams = concurrentStreams
        self.headerListSize = headerListSize
        self.unconfirmedHighMark = unconfirmedHighMark
        self.unconfirmedLowMark = unconfirmedLowMark
        self.unconfirmedPerStream = unconfirmedPerStream
        self.budgetPerConnection = budgetPerConnection
        self.heldPerConnection = heldPerConnection
        self.collectingPerConnection = collectingPerConnection
        self.resetsPerHalfMinute = resetsPerHalfMinute
        self.controlFramesPerHalfMinute = controlFramesPerHalfMinute
        self.windowUpdatesPerHalfMinute = windowUpdatesPerHalfMinute
        self.continuations = continuations
    }

    func bodySize(_ path: String) -> Int { bodySizes[path] ?? messageSize }
}
