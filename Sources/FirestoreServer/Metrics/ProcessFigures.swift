// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(Glibc)
    import Glibc
#endif

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

/// How the process gets its memory from the system.
enum ProcessMemory {
    /// Bounds the memory that is free and not given back: glibc keeps up to eight arenas for every processor, each with what
    /// its threads have let go. Under a mixed load that was half of what a server took. Must come before threads are started;
    /// `MALLOC_ARENA_MAX` in the environment takes precedence. Does nothing with other libraries.
    static func boundArenas() {
        #if canImport(Glibc)
            guard getenv("MALLOC_ARENA_MAX") == nil, let symbol = dlsym(nil, "mallopt") else { return }
            typealias Option = @convention(c) (_ parameter: Int32, _ value: Int32) -> Int32
            let arenas = -8 as Int32  // M_ARENA_MAX
            _ = unsafeBitCast(symbol, to: Option.self)(arenas, Int32(clamping: max(2, ProcessInfo.processInfo.activeProcessorCount / 2)))
        #endif
    }

    /// Gives pages of the arenas that hold nothing back to the system. Takes some milliseconds.
    static func giveBack() {
        #if canImport(Glibc)
            guard let symbol = dlsym(nil, "malloc_trim") else { return }
            typealias Trim = @convention(c) (_ padding: Int) -> Int32
            _ = unsafeBitCast(symbol, to: Trim.self)(0)
        #endif
    }
}
