// SPDX-License-Identifier: Apache-2.0

/// The caller and the deadline of a request. Every call of the `DocumentService` contract carries one.
///
/// Security rules, quotas and metrics depend on it; no call reaches the engine without one.
package struct RequestContext: Sendable {
    package enum Caller: Sendable {
        /// The process itself, or an administrator: rules do not apply.
        case administrator
        /// A verified user and the claims of their token.
        case user(id: String, claims: FieldMap)
        case anonymous
    }

    package var caller: Caller
    /// The time after which the caller no longer wants the answer; nil for no limit.
    package var deadline: ContinuousClock.Instant?
    /// Passed along for logs and traces.
    package var trace: String?
    /// The client's network address, if recorded. Quotas of unauthenticated callers apply to it.
    package var address: String?
    /// Where the call comes from, for turns among callers that have no name: the client's address, or one of its connections.
    package var origin: String?
    /// Receives the costs of the call, where they are measured.
    package var meter: CallMeter?

    package init(caller: Caller, deadline: ContinuousClock.Instant? = nil, trace: String? = nil) {
        self.caller = caller
        self.deadline = deadline
        self.trace = trace
    }

    /// The context of an app that embeds the database.
    package static let embedded = RequestContext(caller: .administrator)
}
