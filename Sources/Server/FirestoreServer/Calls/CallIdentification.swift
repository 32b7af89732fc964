// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC

/// Identifies the caller before a call does anything. Only here does this module make the context of a request, without which a database
/// answers nothing: no request reaches a database without a caller.
package struct CallIdentification: Sendable {
    package let authentication: any CallAuthentication
    /// Finds the address of a client; nil where it is not wanted.
    private let address: (@Sendable (RPCCallInfo) -> String)?

    package init(
        _ authentication: any CallAuthentication = UnprovedAuthentication(), address: (@Sendable (RPCCallInfo) -> String)? = nil
    ) {
        self.authentication = authentication
        self.address = address
    }

    /// nil if something has to be fetched first, for which `identify` waits.
    package func identifyNow(_ call: RPCCallInfo) throws(FirestoreError) -> IdentifiedCall? {
        guard let identity = try authentication.identifyNow(call) else { return nil }
        return IdentifiedCall(identity, call, address)
    }

    package func identify(_ call: RPCCallInfo) async throws(FirestoreError) -> IdentifiedCall {
        if let call = try identifyNow(call) { return call }
        return IdentifiedCall(try await authentication.identify(call), call, address)
    }
}

/// A call whose caller is known.
package struct IdentifiedCall: Sendable {
    package let identity: CallIdentity
    package let context: RequestContext

    /// The server does not let reads wait for unacknowledged writes.
    fileprivate init(_ identity: CallIdentity, _ call: RPCCallInfo, _ address: (@Sendable (RPCCallInfo) -> String)?) {
        self.identity = identity
        var context = RequestContext(caller: identity.caller, deadline: call.deadline, trace: TraceHeader.trace(in: call.metadata))
        if let address, case .anonymous = identity.caller { context.address = address(call) }
        context.origin = Self.origin(of: call, address)
        self.context = context
    }

    /// The host of the client, all of its connections together; on this machine, where many programs are one host, the connection.
    private static func origin(of call: RPCCallInfo, _ address: (@Sendable (RPCCallInfo) -> String)?) -> String {
        let host = address?(call) ?? call.peer.lastIndex(of: ":").map { String(call.peer[..<$0]) } ?? call.peer
        return host.hasPrefix("127.") || host == "::1" ? call.peer : host
    }

    package var isAdministrator: Bool { if case .administrator = identity.caller { true } else { false } }

    /// Whether the console calls for itself.
    package var isConsolesOwn: Bool { identity.isConsolesOwn }

    /// The context of what only administrators may do. In development every caller may.
    package func administration(isDevelopment: Bool) -> RequestContext? {
        guard isDevelopment || isAdministrator else { return nil }
        return RequestContext(caller: .administrator, deadline: context.deadline, trace: context.trace)
    }
}
