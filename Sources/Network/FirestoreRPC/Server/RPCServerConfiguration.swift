// SPDX-License-Identifier: Apache-2.0

/// Where a server listens, and its limits.
package struct RPCServerConfiguration: Sendable {
    /// Files in PEM format; the certificate's may hold a chain.
    package struct TLS: Sendable {
        package var certificateFile: String
        package var keyFile: String

        package init(certificateFile: String, keyFile: String) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
        }
    }

    package var host: String
    /// 0 for any free port.
    package var port: Int
    package var tls: TLS?
    package var limits: RPCLimits
    package var access: AccessPolicy
    package var connections: Int
    /// The connections of one address; nil for no bound.
    package var addresses: AddressBound?
    /// A socket is closed after this time if its protocol is still unknown.
    package var undecidedTimeout: Duration
    /// After this silence, a ping checks whether an HTTP/2 client is still there, and how long it may take to answer.
    package var pingAfter: Duration
    package var pingTimeout: Duration
    /// A connection without calls closes after this time; nil for never.
    package var closeIdleAfter: Duration?

    package init(
        host: String = "127.0.0.1", port: Int = 0, tls: TLS? = nil, limits: RPCLimits = RPCLimits(),
        access: AccessPolicy = AccessPolicy(), connections: Int = 10_000, undecidedTimeout: Duration = .seconds(10),
        pingAfter: Duration = .seconds(30), pingTimeout: Duration = .seconds(20), closeIdleAfter: Duration? = .seconds(1800)
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        self.limits = limits
        self.access = access
        self.connections = connections
        self.undecidedTimeout = undecidedTimeout
        self.pingAfter = pingAfter
        self.pingTimeout = pingTimeout
        self.closeIdleAfter = closeIdleAfter
    }
}

/// Where a server can be reached.
package struct RPCAddress: Sendable, Hashable, CustomStringConvertible {
    package var host: String
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Clients cannot connect to "all addresses".
    package var reachable: RPCAddress { ["0.0.0.0", "::", "*"].contains(host) ? RPCAddress(host: "localhost", port: port) : self }

    package var description: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
