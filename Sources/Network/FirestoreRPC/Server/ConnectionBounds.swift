// SPDX-License-Identifier: Apache-2.0

/// How many bytes of requests and answers a connection holds, over all of its streams, and what it reports to its account.
///
/// Answers are charged where they are made, on any thread; the loop charges requests, and releases everything.
struct ConnectionBounds {
    private let limits: RPCLimits
    private let account: ConnectionAccount
    private var window: ReceiveWindow
    private var held = 0
    private var collecting = 0
    /// Bytes of requests, more or fewer, that the account does not know of yet: a call that is small costs it nothing but its answer.
    private var unreported = 0

    private static let mostUnreported = 64 << 10

    init(_ limits: RPCLimits, _ account: ConnectionAccount) {
        self.limits = limits
        self.account = account
        window = ReceiveWindow(size: limits.connectionWindow)
    }

    /// Data was received, for whatever stream.
    mutating func received(_ bytes: Int) { window.take(bytes) }

    /// How much of the connection's window to return now.
    mutating func giveBack() -> Int? { held <= limits.heldPerConnection ? window.giveBack() : nil }

    /// Records what a stream holds now. Returns false if its incomplete message is more than the connection collects.
    mutating func account(_ stream: ServerStream, held newHeld: Int, collecting newCollecting: Int) -> Bool {
        let (more, grown) = (newHeld - stream.held, newCollecting - stream.collecting)
        held += more
        collecting += grown
        stream.held = newHeld
        stream.collecting = newCollecting
        note(more + grown)
        return grown <= 0 || collecting <= limits.collectingPerConnection && account.admitsGrowth
    }

    /// The caller of a stream has gone while its request is being carried out: what it holds remains charged until that has ended.
    mutating func linger(_ stream: ServerStream) {
        held -= stream.held
        collecting -= stream.collecting
        note(-stream.collecting)
        (stream.lingering, stream.held, stream.collecting) = (stream.held, 0, 0)
    }

    /// So many bytes more of requests are held, or fewer.
    mutating func note(_ bytes: Int) {
        unreported += bytes
        if abs(unreported) > Self.mostUnreported { report() }
    }

    /// Call it at the end of a turn.
    mutating func report() {
        account.chargeRequests(unreported)
        unreported = 0
    }

    /// Bytes of an answer were passed on to be sent. They are charged already.
    func sent(_ bytes: Int, _ stream: ServerStream) { stream.unconfirmed += bytes }

    /// Bytes of an answer were written, or will not be.
    func confirmed(_ bytes: Int, _ stream: ServerStream) {
        stream.unconfirmed -= bytes
        account.release(bytes)
    }
}
