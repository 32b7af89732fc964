// SPDX-License-Identifier: Apache-2.0

/// Why the network must not be used. Features declare causes of their own in extensions.
struct OfflineCause: Hashable {
    private let name: String
    /// Why reads are not answered by the authority, as a sentence; nil if that is not worth an explanation.
    let explanation: String?

    init(_ name: String, _ explanation: String? = nil) {
        self.name = name
        self.explanation = explanation
    }

    static let notStarted = OfflineCause("notStarted")
    static let disabledByUser = OfflineCause("disabledByUser", "The network is disabled; call enableNetwork().")
    /// The store failed; nothing can be received before it works again.
    static let storeFailure = OfflineCause("storeFailure")
    /// The user is being changed.
    static let userChange = OfflineCause("userChange")
    static let shutDown = OfflineCause("shutDown")
}
