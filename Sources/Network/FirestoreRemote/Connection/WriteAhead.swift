// SPDX-License-Identifier: Apache-2.0

/// How far a line of commits is sent ahead of the answers, and how long it keeps an unused Write stream.
package struct WriteAhead: Sendable {
    /// The maximum number of unanswered commits on a stream.
    package var most: Int
    /// The number to begin with, and after one of them has failed. It grows by one with each answer.
    package var first: Int
    package var least: Int
    /// The maximum of their bytes; at least one commit is sent.
    package var bytes: Int
    /// A commit with more bytes is sent in a separate call, in which a request may have the full size, because it has no token.
    package var largest: Int
    /// Whether the server may keep the sequence of a lost stream and repeat its answers. The answer to the handshake says whether it does.
    package var resumes: Bool
    /// An unused stream is closed after this time, or up to twice as much (LS-42).
    package var idle: Duration
    package var sleep: @Sendable (Duration) async -> Void

    package init(
        most: Int, first: Int = 64, least: Int = 16, bytes: Int = 4 << 20, largest: Int = 4 << 20, resumes: Bool = true,
        idle: Duration = .seconds(60),
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) {
        self.most = most
        self.first = first
        self.least = least
        self.bytes = bytes
        self.largest = largest
        self.resumes = resumes
        self.idle = idle
        self.sleep = sleep
    }

    /// For Google's service: as many as its own SDKs send ahead (LS-39). It is not documented that it accepts more.
    package static let service = WriteAhead(most: 10, resumes: false)
    /// For all other servers: as many as `hearth serve` takes before it pauses a stream. A server that takes fewer stops reading, and
    /// the window of the connection holds back the rest.
    package static let ownServer = WriteAhead(most: 256)

    /// The settings for a server with that name.
    package static func towards(host: String) -> WriteAhead {
        var host = host.lowercased()
        if host.utf8.last == UInt8(ascii: ".") { host.removeLast() }
        let domain = "googleapis.com"
        let isService = host.utf8.elementsEqual(domain.utf8) || host.hasSuffix("." + domain)
        return isService ? .service : .ownServer
    }
}
