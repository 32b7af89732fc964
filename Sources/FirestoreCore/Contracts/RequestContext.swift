/// Who asks, and until when. Every call of the `DocumentService` contract carries one.
///
/// Security rules, quotas and metrics hang on it later; nothing reaches the engine around it (design D8).
package struct RequestContext: Sendable {
    package enum Caller: Sendable {
        /// The process itself, or an administrator: rules do not apply.
        case administrator
        /// A verified user and the claims of their token.
        case user(id: String, claims: [String: String])
        case anonymous
    }

    package var caller: Caller
    /// After this the answer is no longer wanted; nil for no limit.
    package var deadline: ContinuousClock.Instant?
    /// Carried along for logs and traces.
    package var trace: String?
    /// Reads see what this process submitted before them, acknowledged or not, and wait for it. A server does not want
    /// that: it owes a caller what was acknowledged (QR-49), and not the wait for somebody else's commit.
    package var seesSubmitted: Bool
    /// What a commit belongs to: it is `aborted`, and not applied, once an earlier one of the same sequence has failed. The
    /// engine keeps to it; a service that does not says so.
    package var sequence: WriteSequence?

    package init(
        caller: Caller, deadline: ContinuousClock.Instant? = nil, trace: String? = nil, seesSubmitted: Bool = true,
        sequence: WriteSequence? = nil
    ) {
        self.caller = caller
        self.deadline = deadline
        self.trace = trace
        self.seesSubmitted = seesSubmitted
        self.sequence = sequence
    }

    /// What an app that embeds the database calls with.
    package static let embedded = RequestContext(caller: .administrator)
}
