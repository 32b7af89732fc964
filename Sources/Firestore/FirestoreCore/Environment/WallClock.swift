// SPDX-License-Identifier: Apache-2.0

/// The source of the current time. Injected, so that tests control it.
package protocol WallClock: Sendable {
    /// Microseconds since 1970. May stand still or jump; the engine ensures that commit times strictly increase.
    func now() -> Int64
}

/// A clock that moves only when it is set or advanced.
package final class ManualClock: WallClock {
    private let time: Mutex<Int64>

    package init(microseconds: Int64) { time = Mutex(microseconds) }

    package func now() -> Int64 { time.withLock { $0 } }
    package func set(microseconds: Int64) { time.withLock { $0 = microseconds } }
    package func advance(microseconds: Int64) { time.withLock { $0 += microseconds } }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#endif

/// The system's real-time clock.
package struct SystemClock: WallClock {
    package init() {}

    package func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
