// SPDX-License-Identifier: Apache-2.0

/// What one case measured, in the case's own unit.
struct BenchmarkResult {
    let name: String
    let value: Double
    let unit: String
    let peerName: String?
    let peerValue: Double?
    /// How many times better than the peer; above 1 is better, whatever the unit.
    let ratio: Double?
    let goal: Double?

    /// Nil where no goal is set.
    var meetsGoal: Bool? {
        guard let ratio, let goal else { return nil }
        return ratio >= goal
    }
}
