// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import struct Synchronization.Atomic

#if canImport(Glibc)
    import Glibc
#endif

/// How the process obtains memory from the system, and returns it.
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

    private static let isScheduled = Atomic<Bool>(false)

    /// Does that in a fifth of a second, for everything that is freed until then.
    package static func giveBackSoon() {
        guard !isScheduled.exchange(true, ordering: .relaxed) else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(200)) {
            isScheduled.store(false, ordering: .relaxed)
            giveBack()
        }
    }
}

/// Notices when a budget holds much less than it did a while ago. The C library keeps what was freed: otherwise a process that has held
/// much once would keep it for ever.
package struct HeldPeak: ~Copyable, Sendable {
    /// What is worth a few milliseconds.
    private static let much = 32 << 20

    private let peak = Atomic<Int>(0)

    private let giveBack: @Sendable () -> Void

    /// - Parameter giveBack: Called on the thread that holds less.
    package init(giveBack: @escaping @Sendable () -> Void = ProcessMemory.giveBackSoon) { self.giveBack = giveBack }

    /// More bytes are held. Two threads may miss each other's figure, but not the one after it.
    package func rose(to held: Int) {
        if held > peak.load(ordering: .relaxed) { peak.store(held, ordering: .relaxed) }
    }

    /// Fewer bytes are held.
    package func fell(to held: Int) {
        guard peak.load(ordering: .relaxed) - held > Self.much else { return }
        peak.store(held, ordering: .relaxed)
        giveBack()
    }
}
