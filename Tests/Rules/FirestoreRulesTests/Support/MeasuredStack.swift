// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A thread with a stack of its own, which shows afterwards how much of it was used.
enum MeasuredStack {
    /// What the threads of tasks and dispatch queues have on Apple's systems.
    static let ordinary = 512 * 1024

    private static let size = 2 << 20
    private static let page = 4096

    private final class Work {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
    }

    /// The bytes of stack that the work took, at most.
    static func bytes(_ body: () -> Void) -> Int {
        // Zeros until something is written.
        guard let base = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0), base != MAP_FAILED else { return .max }
        defer { munmap(base, size) }
        // Who needs more crashes instead of writing elsewhere.
        mprotect(base, page, PROT_NONE)
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        pthread_attr_setstack(attributes, base, size)
        return withoutActuallyEscaping(body) { body in
            let work = Unmanaged.passRetained(Work(body)).toOpaque()
            #if canImport(Darwin)
                var thread: pthread_t?
                pthread_create(&thread, attributes, { Self.run($0) }, work)
                if let thread { pthread_join(thread, nil) }
            #else
                var thread: pthread_t = 0
                pthread_create(&thread, attributes, { Self.run($0) }, work)
                pthread_join(thread, nil)
            #endif
            let zeros = [UInt8](repeating: 0, count: page)
            let pages = stride(from: page, to: size, by: page)
            return size - (pages.first { memcmp(base + $0, zeros, page) != 0 } ?? size)
        }
    }

    private static func run(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
        return nil
    }
}
