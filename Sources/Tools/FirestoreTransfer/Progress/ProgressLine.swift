// SPDX-License-Identifier: Apache-2.0

/// Progress as one line of a terminal. Pure: the same progress, time and width give the same line.
package enum ProgressLine {
    private static let barWidth = 24

    /// At most `width` characters. The less important parts are left out if there is little room.
    ///
    ///     [##########--------------]  41%  13,940 documents  52,300/s  2.9 of 7.0 MB  0:04 left
    package static func text(_ progress: TransferProgress, after elapsed: Duration, width: Int) -> String {
        var parts: [String] = []
        if let fraction = progress.fraction {
            let filled = Int((fraction * Double(barWidth)).rounded(.down))
            let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: barWidth - filled)
            let percentage = Int(fraction * 100)
            parts.append("[\(bar)] \(percentage < 10 ? "  " : percentage < 100 ? " " : "")\(percentage)%")
        }
        parts.append(count(progress.documents))
        parts.append("\(grouped(rate(progress.documents, elapsed)))/s")
        parts.append(progress.totalBytes.map { "\(bytes(progress.bytes)) of \(bytes($0))" } ?? bytes(progress.bytes))
        if let left = timeLeft(progress, elapsed) { parts.append("\(clock(left)) left") }
        while parts.count > 1, length(parts) > width { parts.removeLast() }
        return String(parts.joined(separator: "  ").prefix(max(0, width)))
    }

    /// The summary: `34,006 documents in 0.7 s (48,580/s), 7.0 MB`.
    package static func summary(_ progress: TransferProgress, after elapsed: Duration) -> String {
        let milliseconds = Self.milliseconds(elapsed)
        let time = milliseconds < 60_000 ? "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s" : clock(milliseconds / 1_000)
        let speed = milliseconds < 10 ? "" : " (\(grouped(rate(progress.documents, elapsed)))/s)"
        return "\(count(progress.documents)) in \(time)\(speed), \(bytes(progress.bytes))"
    }

    private static func length(_ parts: [String]) -> Int { parts.reduce(2 * (parts.count - 1)) { $0 + $1.count } }

    package static func count(_ documents: Int) -> String { "\(grouped(documents)) document\(documents == 1 ? "" : "s")" }

    private static func milliseconds(_ elapsed: Duration) -> Int {
        let (seconds, attoseconds) = elapsed.components
        return max(0, Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
    }

    private static func rate(_ documents: Int, _ elapsed: Duration) -> Int {
        let milliseconds = milliseconds(elapsed)
        return milliseconds == 0 ? 0 : Int(Double(documents) / Double(milliseconds) * 1_000)
    }

    /// Seconds, once there is enough progress for an estimate.
    private static func timeLeft(_ progress: TransferProgress, _ elapsed: Duration) -> Int? {
        guard let fraction = progress.fraction, fraction > 0.01, fraction < 1 else { return nil }
        let seconds = Double(milliseconds(elapsed)) / 1_000 * (1 - fraction) / fraction
        return seconds < 1_000_000 ? Int(seconds.rounded(.up)) : nil
    }

    /// `0:04`, `12:30`, `1:02:03`
    private static func clock(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (minutes, rest) = (seconds / 60, seconds % 60)
        return minutes < 60 ? "\(minutes):\(two(rest))" : "\(minutes / 60):\(two(minutes % 60)):\(two(rest))"
    }

    /// `999 bytes`, `2.9 MB`; powers of ten.
    package static func bytes(_ count: Int64) -> String {
        var size = count
        var unit = ""
        var tenths: Int64 = 0
        for next in ["kB", "MB", "GB", "TB"] where size >= 1_000 {
            tenths = size % 1_000 / 100
            size /= 1_000
            unit = next
        }
        return unit.isEmpty ? "\(size) bytes" : "\(size).\(tenths) \(unit)"
    }

    /// `34,006`
    package static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }
}
