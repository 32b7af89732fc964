// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1

/// The facts about a request that decide how it is received and answered.
struct HTTP1RequestFacts: Equatable {
    /// Whether its headers alone are reason to refuse it.
    var isForbidden = false
    /// Whether the client waits to be asked for the body.
    var asks = false
    /// The size of the body, if the client asks and names it.
    var announcedSize: Int?
    /// The largest body, if it is collected.
    var bodySize: Int
    /// Whether the service reads the body while it arrives.
    var isUpload = false
    var isHEAD = false
    /// Whether another request may follow.
    var keepsAlive = true

    /// Why the request can be refused before its body was sent.
    var earlyRefusal: HTTP1Refusal? {
        if isForbidden { return .forbidden }
        return !isUpload && announcedSize ?? 0 > bodySize ? .tooLarge(bodySize) : nil
    }
}

extension HTTP1RequestFacts {
    init(_ head: HTTPRequestHead, bodySize: Int, isForbidden: Bool, isUpload: Bool) {
        self.isForbidden = isForbidden
        self.bodySize = bodySize
        self.isUpload = isUpload
        asks = head.version != .http1_0 && head.headers["expect"].contains { $0.lowercased() == "100-continue" }
        if asks { announcedSize = head.headers.first(name: "content-length").flatMap { Int($0) } }
        isHEAD = head.method == .HEAD
        // A request for an upgrade stops NIO's parser: it is answered here, and the next one needs a new connection. After an upload, the
        // rest of the body may be left.
        keepsAlive = !isUpload && head.isKeepAlive && !head.headers.contains(name: "upgrade")
    }
}

enum HTTP1Refusal: Equatable {
    /// By the server's policy, which has judged the headers.
    case forbidden
    case tooLarge(Int)
    /// The connection, or the process, holds too much.
    case unwanted
}

/// How long a connection waits.
struct HTTP1Patience: Sendable {
    /// For the next request, and for the next bytes of one.
    var silence = TimeAmount.seconds(60)
    /// For a whole request.
    var request = TimeAmount.minutes(5)
    /// For a client that does not read the answer.
    var unread = TimeAmount.seconds(30)
    /// For the rest of a request that is answered before its end.
    var refused = TimeAmount.seconds(5)
}
