/// What one case measured, in the case's own unit.
struct BenchmarkResult {
    let name: String
    let value: Double
    let unit: String
    let peerName: String?
    let peerValue: Double?
    /// How many times better than the peer; above 1 is better, whatever the unit.
    let ratio: Double?
    let target: Double?

    /// Nil where no target is set.
    var meetsTarget: Bool? {
        guard let ratio, let target else { return nil }
        return ratio >= target
    }
}
