// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC

/// Finds out who calls, from the headers of a call. Every call asks it before anything else, over gRPC and REST.
///
/// The server knows no keys and no accounts; the process that starts it provides them.
package protocol CallAuthentication: Sendable {
    /// Who calls; nil if something has to be fetched first, for which `identify` waits. Does not block.
    func identifyNow(_ call: RPCCallInfo) throws(FirestoreError) -> CallIdentity?

    func identify(_ call: RPCCallInfo) async throws(FirestoreError) -> CallIdentity

    /// Calls `body` when identities may have ended before their time: accounts were disabled, keys removed. Streams are checked again.
    func observe(_ body: @escaping @Sendable () -> Void)
}

/// Who calls, and until when that holds.
package struct CallIdentity: Sendable {
    package let caller: RequestContext.Caller
    /// The moment in microseconds since 1970 at which the proof expires; `Int64.max` if it does not.
    package let lastUse: Int64
    package let check: IdentityCheck
    /// Set for calls of the console.
    package var console: ConsoleCall?

    package init(_ caller: RequestContext.Caller, lastUse: Int64 = .max, check: IdentityCheck = .none) {
        self.caller = caller
        self.lastUse = lastUse
        self.check = check
    }
}

/// What a call of the console is for.
package enum ConsoleCall: Sendable {
    /// For itself, as the administrator: such calls are not shown and not counted.
    case own
    /// In the name of another caller, whom rules judge ("view as").
    case viewingAs
}
