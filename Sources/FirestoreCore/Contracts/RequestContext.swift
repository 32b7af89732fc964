// SPDX-License-Identifier: Apache-2.0

/// Who asks, and until when. Every call of the `DocumentService` contract carries one.
///
/// Security rules, quotas and metrics hang on it; nothing reaches the engine around it.
package struct RequestContext: Sendable {
    package enum Caller: Sendable {
        /// The process itself, or an administrator: rules do not apply.
        case administrator
        /// A verified user and the claims of their token.
        case user(id: String, claims: FieldMap)
        case anonymous
    }

    package var caller: Caller
    /// After this the answer is no longer wanted; nil for no limit.
    package var deadline: ContinuousClock.Instant?
    /// Carried along for logs and traces.
    package var trace: String?

    package init(caller: Caller, deadline: ContinuousClock.Instant? = nil, trace: String? = nil) {
        self.caller = caller
        self.deadline = deadline
        self.trace = trace
    }

    /// What an app that embeds the database calls with.
    package static let embedded = RequestContext(caller: .administrator)
}
