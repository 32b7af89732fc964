// SPDX-License-Identifier: Apache-2.0
import FirestoreAuthentication
import FirestoreEngine
import FirestoreGateway
import FirestoreServer

/// Deletes documents whose time to live has ended.
struct ExpiryGuest: ServerGuest, ServerPart {
    private static let interval = Setting(
        "ttl-interval", 60, "Maximum interval between scans for expired documents: how much too late one may be deleted.", value: "seconds")

    static let settings: [any AnySetting] = [interval]

    private let seconds: Int

    init?(_ plan: inout ServerPlan) throws(StartRefusal) {
        seconds = plan.values[Self.interval]
        guard (1...86_400).contains(seconds) else {
            throw StartRefusal("--\(Self.interval.name) must lie between 1 and 86400, not \(seconds)")
        }
    }

    func join(_ start: inout ServerStart) { start.configuration.databases.expiry.interval = Int64(seconds) * 1_000_000 }
}
