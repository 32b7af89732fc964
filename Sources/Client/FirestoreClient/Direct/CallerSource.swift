// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Who calls through a client, which may change while the client is open.
package protocol CallerSource: Sendable {
    /// The caller of an operation that begins now. Returns immediately.
    var context: RequestContext { get }

    /// Starts a listener as the caller of now. If the caller changes before `start` returns, the listener becomes the new one's, as
    /// those that run already do.
    func startListener(_ start: (RequestContext) -> Void)
}

/// A caller who stays the same.
package struct FixedCaller: CallerSource {
    package let context: RequestContext

    package init(_ context: RequestContext) { self.context = context }

    package func startListener(_ start: (RequestContext) -> Void) { start(context) }
}
