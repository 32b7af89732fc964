// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// Durations as people write them: `500ms`, `30s`, `90m`, `36h`, `7d`.
enum DurationText {
    private static let units: [(name: String, duration: Duration)] = [
        ("ms", .milliseconds(1)), ("s", .seconds(1)), ("m", .seconds(60)), ("h", .seconds(3_600)), ("d", .seconds(86_400)),
    ]

    /// What a pause between two looks can be.
    static let pause = Duration.milliseconds(10)...Duration.seconds(3_600)

    /// nil for other texts.
    static func duration(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), count <= 1_000_000_000,
            let unit = units.first(where: { $0.name == text.dropFirst(digits.count) })
        else { return nil }
        return unit.duration * count
    }

    static func duration(_ text: String, of option: String, in range: ClosedRange<Duration>) throws -> Duration {
        guard let duration = duration(text) else {
            throw ValidationError("--\(option) must be a number with a unit, such as 30s, 90m, 36h or 7d, not \(text)")
        }
        guard range.contains(duration) else {
            throw ValidationError("--\(option) must lie between \(range.lowerBound) and \(range.upperBound), not \(text)")
        }
        return duration
    }
}
