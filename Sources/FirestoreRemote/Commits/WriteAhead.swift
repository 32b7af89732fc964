// SPDX-License-Identifier: Apache-2.0

/// How far a line of commits goes ahead of the answers, and how long it keeps a Write stream that nobody uses.
package struct WriteAhead: Sendable {
    /// Commits on a stream that are not answered.
    package var most: Int
    /// …to begin with, and after one of them has failed. In between it grows by one with each answer.
    package var first: Int
    package var least: Int
    /// Bytes of them; at least one goes.
    package var bytes: Int
    /// A commit of more bytes goes in a call of its own, where a request may be as large as the limit without a token.
    package var largest: Int
    /// An unused stream is closed after this time or a little later, twice as much at most (LS-42).
    package var idle: Duration
    package var sleep: @Sendable (Duration) async -> Void

    package init(
        most: Int, first: Int = 64, least: Int = 16, bytes: Int = 4 << 20, largest: Int = 4 << 20, idle: Duration = .seconds(60),
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) {
        self.most = most
        self.first = first
        self.least = least
        self.bytes = bytes
        self.largest = largest
        self.idle = idle
        self.sleep = sleep
    }

    /// Towards Google's service: what its own SDKs send ahead (LS-39). That it takes more is not said anywhere.
    package static let service = WriteAhead(most: 10)
    /// Towards everybody else: as many as `hearth serve` takes before it lets a stream wait. A server that takes fewer stops
    /// reading, and the window of the connection holds back the rest.
    package static let ownServer = WriteAhead(most: 256)

    /// For a server of that name.
    package static func towards(host: String) -> WriteAhead {
        var host = host.lowercased()
        if host.utf8.last == UInt8(ascii: ".") { host.removeLast() }
        let domain = "googleapis.com"
        let isService = host.utf8.elementsEqual(domain.utf8) || host.hasSuffix("." + domain)
        return isService ? .service : .ownServer
    }
}
