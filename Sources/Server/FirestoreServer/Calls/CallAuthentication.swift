// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC

/// Identifies the caller from the headers of a call. Every call asks it before anything else, over gRPC and REST.
///
/// The server knows no keys and no accounts; the process that starts it provides them.
package protocol CallAuthentication: Sendable {
    /// The caller; nil if something has to be fetched first, for which `identify` waits. Does not block.
    func identifyNow(_ call: RPCCallInfo) throws(FirestoreError) -> CallIdentity?

    func identify(_ call: RPCCallInfo) async throws(FirestoreError) -> CallIdentity

    /// Calls `body` when identities may have ended before their time: accounts were disabled, keys removed. Streams are checked again.
    func observe(_ body: @escaping @Sendable () -> Void)
}

/// A caller, and the time until which the identity is valid.
package struct CallIdentity: Sendable {
    package let caller: RequestContext.Caller
    /// The moment in microseconds since 1970 at which the proof expires; `Int64.max` if it does not.
    package let lastUse: Int64
    package let check: IdentityCheck
    /// Whether the console calls for itself: such calls are not shown and not counted.
    package var isConsolesOwn = false
    /// Why the caller may not run pipelines that write; nil if they may, as far as is known here.
    package var pipelineWriteRefusal: FirestoreError?

    package init(_ caller: RequestContext.Caller, lastUse: Int64 = .max, check: IdentityCheck = .none) {
        self.caller = caller
        self.lastUse = lastUse
        self.check = check
    }
}

/// Whether the proof of an identity still holds. It may have expired or been revoked.
package struct IdentityCheck: Sendable {
    /// Throws `unauthenticated` if the proof does not hold any more. Answers from memory, without blocking; false if the answer is not
    /// there.
    package let now: @Sendable () throws(FirestoreError) -> Bool
    /// Checks the proof like `now`, after reading data that is not in memory.
    package let waiting: @Sendable () async throws(FirestoreError) -> Void

    package init(
        now: @escaping @Sendable () throws(FirestoreError) -> Bool, waiting: @escaping @Sendable () async throws(FirestoreError) -> Void
    ) {
        self.now = now
        self.waiting = waiting
    }

    /// A check whose answer is always in memory.
    package init(_ check: @escaping @Sendable () throws(FirestoreError) -> Void) {
        now = { () throws(FirestoreError) in
            try check()
            return true
        }
        waiting = { () async throws(FirestoreError) in try check() }
    }

    /// The proof holds until it expires.
    package static let none = IdentityCheck { () throws(FirestoreError) in }
}
