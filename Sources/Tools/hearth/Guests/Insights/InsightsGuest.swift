// SPDX-License-Identifier: Apache-2.0
import FirestoreAuthentication
import FirestoreGateway
import FirestoreServer

/// Measures calls, and logs those that take long.
struct InsightsGuest: ServerGuest, ServerPart {
    private static let slow = Setting<String?>(
        "slow", nil, "Log calls that take as long as this, such as 200ms, and count all calls by what they ask for.", value: "duration")

    static let settings: [any AnySetting] = [slow]

    private let threshold: Duration

    init?(_ plan: inout ServerPlan) throws(StartRefusal) {
        guard let text = plan.values[Self.slow] else { return nil }
        threshold = try StartRefusal.of {
            try DurationText.duration(text, of: Self.slow.name, in: .milliseconds(1)...(.seconds(3_600)))
        }
    }

    func join(_ start: inout ServerStart) { start.configuration.slowCalls = SlowCalls(threshold: threshold, log: start.log) }
}
