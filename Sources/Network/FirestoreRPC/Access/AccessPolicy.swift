// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Decides by the headers alone, before a request takes effect, which hosts a server answers for and which pages may use it.
///
/// Browsers let web pages from anywhere reach a server on the user's machine or network. Two checks keep such pages out. If a page
/// sends the request, the page must be allowed (`Origin`). And the request must be for one of the server's own names (`Host`):
/// otherwise an attacker could point a name at this machine (DNS rebinding) and serve the page under it. An address cannot be
/// pointed elsewhere, so every address is accepted.
package struct AccessPolicy: Sendable {
    private var hosts: Set<String> = []
    private var origins: Set<PageOrigin> = []
    /// Paths that answer for every host, because load balancers use other names. They must not have side effects.
    package var openPaths: Set<String> = []
    /// Rejects requests that a proxy has forwarded: for servers that trust every caller because all are on this machine.
    package var refusesForwarded = false
    /// The advice for the operator in rejections.
    package var advice = OperatorAdvice.none

    package init() {}

    /// Answers for a host, in addition to addresses, `localhost` and the names below it.
    package mutating func allow(host text: String) throws(RPCStatus) {
        guard let authority = Authority(text), authority.port == nil, !authority.hasEmptyPort else {
            throw RPCStatus(
                .invalidArgument,
                "\"\(text)\" is not a host name; give a name such as db.example.com, without scheme, port, path and wildcard")
        }
        hosts.insert(authority.host)
    }

    /// Allows the pages of an origin to use the server.
    package mutating func allow(origin text: String) throws(RPCStatus) {
        if text == "*" || text == "null" {
            let reason =
                text == "*"
                ? "would let every page on the web use this server" : "is the origin of every sandboxed page"
            throw RPCStatus(.invalidArgument, "\"\(text)\" \(reason); give each origin, such as https://app.example.com")
        }
        guard let origin = PageOrigin(text) else {
            throw RPCStatus(
                .invalidArgument,
                "\"\(text)\" is not an origin; give scheme, host and, if there is one, port, such as https://app.example.com:8443, "
                    + "without a path and without wildcards")
        }
        origins.insert(origin)
    }

    /// Whether a name is one that every server answers for, or an allowed one.
    private func isAllowed(_ authority: Authority) -> Bool {
        authority.isAddress || authority.isLocalhost || hosts.contains(authority.host)
    }
}

/// The destination and the origin of a request, by its headers.
struct RequestOrigin {
    /// The values of all `Host` and `:authority` fields.
    var hosts: [String]
    var origins: [String]
    var path: String
    var isEncrypted: Bool
    /// Whether a proxy says whom it has forwarded the request for.
    var isForwarded = false
    /// HTTP/1.0 does not have `Host`. Browsers do not use it.
    var mayLackHost = false
}

extension AccessPolicy {
    /// Accepts a request or throws the reason for refusing it. Returns the origin of the page that sends it; nil if it is not from
    /// a page.
    func admit(_ request: RequestOrigin) throws(HTTPRefusal) -> String? {
        let isOpen = openPaths.contains(request.path)
        if refusesForwarded, request.isForwarded, !isOpen { throw refusedForwarded }
        let server = isOpen ? nil : try self.server(request)
        guard let text = request.origins.first else { return nil }
        guard request.origins.count == 1, let origin = PageOrigin(text), isAllowed(origin, server, request.isEncrypted) else {
            throw refused(origin: text)
        }
        return text
    }

    private func server(_ request: RequestOrigin) throws(HTTPRefusal) -> Authority? {
        guard let first = request.hosts.first, !first.utf8.isEmpty else {
            if request.hosts.isEmpty, request.mayLackHost { return nil }
            throw .badRequest("the request does not say which host it is for; send a Host header")
        }
        for other in request.hosts.dropFirst() where !other.utf8.elementsEqual(first.utf8) {
            throw .badRequest("the request is for two hosts; send one Host header")
        }
        guard let authority = Authority(first), isAllowed(authority) else { throw refused(host: first) }
        return authority
    }

    private func isAllowed(_ origin: PageOrigin, _ server: Authority?, _ isEncrypted: Bool) -> Bool {
        origin.isOfThisMachine || origins.contains(origin) || (server.map { origin.isOf($0, isEncrypted: isEncrypted) } ?? false)
    }

    private var refusedForwarded: HTTPRefusal {
        HTTPRefusal(
            403, .permissionDenied, "PERMISSION_DENIED",
            "a proxy has forwarded this request (Forwarded, X-Forwarded-For), and in development mode the server trusts everybody who "
                + "reaches it; call it directly\(advice(.forwardedRequests))")
    }

    private func refused(host: String) -> HTTPRefusal {
        HTTPRefusal(
            421, .failedPrecondition, "FAILED_PRECONDITION",
            "this server does not answer for the host \"\(host.prefix(253))\"\(advice(.hosts(Authority(host)?.host)))")
    }

    private func refused(origin: String) -> HTTPRefusal {
        HTTPRefusal(
            403, .permissionDenied, "PERMISSION_DENIED",
            "pages of \"\(origin.prefix(253))\" may not use this server\(advice(.origins))",
            headers: [(name: "vary", value: "origin")])
    }
}
