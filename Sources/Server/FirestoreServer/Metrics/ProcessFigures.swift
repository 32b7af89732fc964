// SPDX-License-Identifier: Apache-2.0
import FirestoreRPC
package import Foundation

#if canImport(Glibc)
    import Glibc
#endif

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

/// How the process obtains memory from the system.
package enum ProcessMemory {
    /// Bounds the memory that is free and not returned: glibc maintains up to eight arenas per processor, each with memory that its
    /// threads have released. Under a mixed load that was half of the server's memory. Must be called before threads are started;
    /// `MALLOC_ARENA_MAX` in the environment takes precedence. Does nothing with other libraries.
    package static func boundArenas() {
        #if canImport(Glibc)
            guard getenv("MALLOC_ARENA_MAX") == nil, let symbol = dlsym(nil, "mallopt") else { return }
            typealias Option = @convention(c) (_ parameter: Int32, _ value: Int32) -> Int32
            let arenas = -8 as Int32  // M_ARENA_MAX
            _ = unsafeBitCast(symbol, to: Option.self)(arenas, Int32(clamping: max(2, ProcessInfo.processInfo.activeProcessorCount / 2)))
        #endif
    }

    /// Returns the unused pages of the arenas to the system. Takes a few milliseconds.
    package static func giveBack() {
        #if canImport(Glibc)
            guard let symbol = dlsym(nil, "malloc_trim") else { return }
            typealias Trim = @convention(c) (_ padding: Int) -> Int32
            _ = unsafeBitCast(symbol, to: Trim.self)(0)
        #endif
    }
}
