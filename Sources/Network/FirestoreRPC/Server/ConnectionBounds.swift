// SPDX-License-Identifier: Apache-2.0

/// How many bytes of requests and answers a connection holds, over all of its streams. Pure.
struct ConnectionBounds {
    private let limits: RPCLimits
    private var window: ReceiveWindow
    private var held = 0
    private var collecting = 0
    private var unconfirmed = 0

    init(_ limits: RPCLimits) {
        self.limits = limits
        window = ReceiveWindow(size: limits.connectionWindow)
    }

    /// Whether another call may be opened: the peer reads its answers.
    var admitsCalls: Bool { unconfirmed <= limits.unconfirmedPerConnection }

    /// Data was received, for whatever stream.
    mutating func received(_ bytes: Int) { window.take(bytes) }

    /// How much of the connection's window to return now.
    mutating func giveBack() -> Int? { held <= limits.heldPerConnection ? window.giveBack() : nil }

    /// Records what a stream holds now. Returns false if its incomplete message is more than the connection collects.
    mutating func account(_ stream: ServerStream, held newHeld: Int, collecting newCollecting: Int) -> Bool {
        held += newHeld - stream.held
        collecting += newCollecting - stream.collecting
        let grew = newCollecting > stream.collecting
        stream.held = newHeld
        stream.collecting = newCollecting
        return !grew || collecting <= limits.collectingPerConnection
    }

    /// Bytes were sent, or confirmed if negative.
    mutating func addUnconfirmed(_ bytes: Int, _ stream: ServerStream) {
        stream.unconfirmed += bytes
        unconfirmed += bytes
    }
}
