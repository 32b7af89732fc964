// SPDX-License-Identifier: Apache-2.0
import HearthBase

/// Metrics in Prometheus's text format, version 0.0.4: families, each with its help and its type, then its samples.
struct PrometheusText {
    private(set) var text = ""

    /// Begins a family. Its samples follow.
    mutating func begin(_ name: String, _ type: String) {
        if let help = MetricCatalog.help[name] { text += "# HELP \(name) \(help)\n" }
        text += "# TYPE \(name) \(type)\n"
    }

    mutating func add(_ name: String, _ labels: String = "", _ value: Double) { add(name, labels, Self.number(value)) }

    mutating func add(_ name: String, _ labels: String, _ value: String) {
        text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }

    /// Writes nothing for an empty distribution: values that never occurred would fill the page.
    mutating func add(_ name: String, _ labels: String = "", _ distribution: Distribution) {
        guard distribution.total > 0 else { return }
        let separator = labels.isEmpty ? "" : ","
        var total: Int64 = 0
        for (bound, count) in zip(distribution.bounds.map(Self.number) + ["+Inf"], distribution.counts) {
            total += count
            add(name + "_bucket", labels + separator + "le=\"\(bound)\"", String(total))
        }
        add(name + "_sum", labels, distribution.sum)
        add(name + "_count", labels, String(total))
    }

    /// Whole numbers are written without a decimal point.
    static func number(_ value: Double) -> String { Int64(exactly: value).map { String($0) } ?? String(value) }

    /// A name of Hearth's in the characters that Prometheus allows.
    static func name(_ label: String) -> String {
        String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    static func labels(_ dimensions: [(String, String)]) -> String {
        dimensions.map { "\(name($0.0))=\"\(escaped($0.1))\"" }.joined(separator: ",")
    }

    private static func escaped(_ value: String) -> String {
        var result = ""
        for character in value.unicodeScalars {
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
