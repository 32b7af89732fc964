// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#endif

/// The time since the machine was started, which is never set. It passes while the machine sleeps, too.
package enum BootClock {
    /// In microseconds.
    package static func now() -> Int64 {
        var time = timespec()
        #if os(Linux)
            clock_gettime(CLOCK_BOOTTIME, &time)
        #else
            clock_gettime(CLOCK_MONOTONIC, &time)
        #endif
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    /// What distinguishes one start of the machine from another; nil if the system does not say.
    package static func session() -> String? {
        #if os(Linux)
            return text(of: "/proc/sys/kernel/random/boot_id")
        #elseif canImport(Darwin)
            var buffer = [CChar](repeating: 0, count: 64)
            var length = buffer.count
            guard sysctlbyname("kern.bootsessionuuid", &buffer, &length, nil, 0) == 0 else { return nil }
            return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #else
            return nil
        #endif
    }

    /// The time since the machine was started as the kernel reports it to everyone, in microseconds: tools that give one process another
    /// clock do not change it. For comparisons with what an earlier process has noted.
    package static func reported() -> Int64 {
        #if os(Linux)
            if let text = text(of: "/proc/uptime"), let seconds = text.split(separator: " ").first.flatMap({ Double($0) }), seconds > 0 {
                return Int64(seconds * 1_000_000)
            }
        #endif
        return now()
    }

    #if os(Linux)
        /// A short file of the kernel.
        private static func text(of path: String) -> String? {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            var buffer = [UInt8](repeating: 0, count: 128)
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return nil }
            return String(decoding: buffer.prefix(count).filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
    #endif
}
