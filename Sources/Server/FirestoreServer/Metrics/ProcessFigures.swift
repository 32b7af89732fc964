// SPDX-License-Identifier: Apache-2.0
import FirestoreRPC
package import Foundation

/// The kernel's metrics of this process, under the names that all Prometheus clients use.
package enum ProcessFigures {
    /// In seconds since 1970.
    package static let start = Date().timeIntervalSince1970

    /// Call it early, so that the recorded start is accurate.
    package static func noteStart() { _ = start }

    package static var text: String {
        var text = PrometheusText()
        func gauge(_ name: String, _ value: Double) {
            text.begin(name, "gauge")
            text.add(name, "", value)
        }
        gauge("process_start_time_seconds", start)
        gauge("hearth_held_bytes", Double(MemoryBudget.process.held))
        if let bytes = residentBytes { gauge("process_resident_memory_bytes", Double(bytes)) }
        return text.text
    }

    /// The second number of `/proc/self/statm`, in pages. nil if the file does not exist.
    package static var residentBytes: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let numbers = text.split(separator: " ").compactMap { Int($0) }
        return numbers.count > 1 ? numbers[1] * 4_096 : nil
    }
}
