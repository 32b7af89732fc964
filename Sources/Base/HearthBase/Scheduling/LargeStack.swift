// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A thread with a large stack, for recursive work whose callers come on threads with as little as half a megabyte.
package enum LargeStack {
    private final class Work {
        let body: () -> Void

        init(_ body: @escaping () -> Void) { self.body = body }
    }

    /// Runs work on a new thread and waits until it is done. Returns false if no thread could be started; the work has not run then.
    ///
    /// - Parameter bytes: Address space: memory is taken only where the stack is used.
    package static func run(bytes: Int, _ body: () -> Void) -> Bool {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        guard pthread_attr_init(attributes) == 0 else { return false }
        defer { pthread_attr_destroy(attributes) }
        guard pthread_attr_setstacksize(attributes, bytes) == 0 else { return false }
        // The caller waits, so nothing is used by two threads simultaneously, and the closure does not outlive this call.
        return withoutActuallyEscaping(body) { body in
            let work = Unmanaged.passRetained(Work(body))
            #if canImport(Glibc)
                var thread: pthread_t = 0
            #else
                var thread: pthread_t?
            #endif
            guard pthread_create(&thread, attributes, { Self.start($0) }, work.toOpaque()) == 0 else {
                work.release()
                return false
            }
            #if canImport(Glibc)
                pthread_join(thread, nil)
            #else
                if let thread { pthread_join(thread, nil) }
            #endif
            return true
        }
    }

    private static func start(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
        return nil
    }
}
