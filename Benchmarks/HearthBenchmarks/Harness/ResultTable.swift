// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Prints results as they come, one aligned line each.
struct ResultTable {
    private let nameWidth: Int
    private let peerWidth: Int

    init(_ cases: [BenchmarkCase]) {
        nameWidth = max(24, (cases.map(\.name.count).max() ?? 0) + 5)
        peerWidth = max(4, cases.compactMap(\.peerName?.count).max() ?? 0)
    }

    func printHeader() {
        print(line("case", "ours", "peer", "unit", "ratio", "goal", "", "peer is"))
        print(String(repeating: "─", count: nameWidth + 60 + peerWidth))
    }

    func print(_ result: BenchmarkResult) {
        let verdict =
            switch result.meetsGoal {
            case true?: "ok"
            case false?: "below"
            case nil: ""
            }
        print(
            line(
                result.name, Self.figure(result.value), result.peerValue.map(Self.figure) ?? "–", result.unit,
                result.ratio.map { Self.times($0) } ?? "–", result.goal.map { Self.times($0) } ?? "–", verdict,
                result.peerName ?? ""))
    }

    /// A line appears when it is measured, also through a pipe.
    private func print(_ text: String) {
        Swift.print(text)
        fflush(nil)
    }

    private func line(
        _ name: String, _ ours: String, _ peer: String, _ unit: String, _ ratio: String, _ goal: String,
        _ verdict: String, _ peerName: String
    ) -> String {
        [
            name.padded(to: nameWidth), ours.padded(to: 10, alignment: .right), peer.padded(to: 10, alignment: .right),
            unit.padded(to: 10), ratio.padded(to: 8, alignment: .right), goal.padded(to: 8, alignment: .right),
            verdict.padded(to: 5), peerName,
        ].joined(separator: " ")
    }

    /// Three significant digits are as many as a shared machine can promise.
    static func figure(_ value: Double) -> String {
        switch abs(value) {
        case 1000...: grouped(value)
        case 100...: String(format: "%.0f", value)
        case 10...: String(format: "%.1f", value)
        default: String(format: "%.2f", value)
        }
    }

    private static func times(_ ratio: Double) -> String {
        String(format: ratio >= 100 ? "%.0f×" : ratio >= 10 ? "%.1f×" : "%.2f×", ratio)
    }

    private static func grouped(_ value: Double) -> String {
        let digits = Array(String(Int(value.rounded())))
        var out = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3), out.last != "-" { out.append(",") }
            out.append(digit)
        }
        return out
    }
}

extension String {
    enum Alignment {
        case left
        case right
    }

    func padded(to width: Int, alignment: Alignment = .left) -> String {
        let fill = String(repeating: " ", count: max(0, width - count))
        return alignment == .left ? self + fill : fill + self
    }
}
