import Foundation

/// What the kernel knows of this process, under the names that all Prometheus clients use.
enum ProcessFigures {
    private static let start = Date().timeIntervalSince1970

    /// Called early, so that the start is the start.
    static func noteStart() { _ = start }

    static var text: String {
        var text = "# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds \(start)\n"
        if let bytes = residentBytes {
            text += "# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes \(bytes)\n"
        }
        return text
    }

    /// Second number of `/proc/self/statm`, in pages. nil where there is no such file.
    private static var residentBytes: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let numbers = text.split(separator: " ").compactMap { Int($0) }
        return numbers.count > 1 ? numbers[1] * 4_096 : nil
    }
}
