// SPDX-License-Identifier: Apache-2.0

/// The action that a request of WebChannel asks for, by its URL alone (WC-5, WC-6).
package enum WebChannelRequest: Hashable, Sendable {
    /// A POST without a session: makes one.
    case handshake(WebChannelGreeting)
    /// The GET on which the server sends: streaming, or one answer at a time with the longest wait in milliseconds.
    case back(session: String, after: Int, pollsFor: Int64?)
    /// A POST with messages.
    case forward(session: String)
    case terminate(session: String)

    /// The longest wait of a poll that names none; proxies give up after 30 s.
    package static let longestPoll: Int64 = 25_000

    package init(method: String, query: [(name: String, value: String)]) throws(WebChannelProblem) {
        func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
        func number(_ name: String) throws(WebChannelProblem) -> Int? {
            guard let text = value(name) else { return nil }
            guard text.utf8.count <= 15, let number = Int(text) else {
                throw WebChannelProblem("the parameter \(name) of the URL is not a number")
            }
            return number
        }
        guard let version = try number("VER"), version > 0 else {
            throw WebChannelProblem("the URL does not say which version of WebChannel the client speaks (VER)")
        }
        guard let request = value("RID"), !request.utf8.isEmpty else {
            throw WebChannelProblem("the URL has no number of the request (RID)")
        }
        guard let session = value("SID") else {
            guard method == "POST" else { throw WebChannelProblem("only a POST makes a session, and this \(method) names none (SID)") }
            self = .handshake(WebChannelGreeting(version: version, client: try number("CVER") ?? 0))
            return
        }
        if value("TYPE") == "terminate" {
            self = .terminate(session: session)
        } else if method == "GET" {
            guard request == "rpc" else { throw WebChannelProblem("a GET is the back channel (RID=rpc)") }
            let wait = Int64(try number("TO") ?? Int(Self.longestPoll))
            let polls = try number("CI") == 1
            self = .back(
                session: session, after: try number("AID") ?? -1, pollsFor: polls ? min(max(wait, 0), Self.longestPoll) : nil)
        } else {
            self = .forward(session: session)
        }
    }
}

/// The properties of the client in the handshake, and the answer to it.
package struct WebChannelGreeting: Hashable, Sendable {
    package let version: Int
    package let client: Int

    package init(version: Int, client: Int) {
        self.version = version
        self.client = client
    }

    /// After this many milliseconds without a byte, and half as many again, a client begins another back channel.
    package static let keepAlive = 30_000

    /// Array 0, which the client processes immediately (WC-12, WC-13).
    package func answer(session: String) -> [UInt8] {
        let keepAlive = client >= 22 ? ",\(Self.keepAlive)" : ""
        return WebChannelFrame.frame(Array("[[0,[\"c\",\"\(session)\",\"\",\(min(version, 8)),12\(keepAlive)]]]".utf8))
    }
}
