// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC

/// Identifies the caller before a call does anything. Only here does this module make the context of a request, without which a database
/// answers nothing: no request reaches a database without a caller.
package struct CallIdentification: Sendable {
    package let authentication: any CallAuthentication

    package init(_ authentication: any CallAuthentication = UnprovedAuthentication()) { self.authentication = authentication }

    /// nil if something has to be fetched first, for which `identify` waits.
    package func identifyNow(_ call: RPCCallInfo) throws(FirestoreError) -> IdentifiedCall? {
        guard let identity = try authentication.identifyNow(call) else { return nil }
        return IdentifiedCall(identity, call)
    }

    package func identify(_ call: RPCCallInfo) async throws(FirestoreError) -> IdentifiedCall {
        if let call = try identifyNow(call) { return call }
        return IdentifiedCall(try await authentication.identify(call), call)
    }
}

/// A call whose caller is known.
package struct IdentifiedCall: Sendable {
    package let identity: CallIdentity
    package let context: RequestContext

    /// The server does not let reads wait for unacknowledged writes.
    fileprivate init(_ identity: CallIdentity, _ call: RPCCallInfo) {
        self.identity = identity
        var trace: String?
        // One walk over the list; the length excludes nearly every header.
        for (name, value) in call.metadata.entries {
            switch name.utf8.count {
            case 12 where equalUTF8(name, "x-request-id"): trace = value
            case 11 where trace == nil && equalUTF8(name, "traceparent"): trace = value
            default: break
            }
        }
        context = RequestContext(caller: identity.caller, deadline: call.deadline, trace: trace.map { String($0.prefix(128)) })
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
