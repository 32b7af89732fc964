// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A thread with a stack on which every pipeline within the limits can be checked and executed.
///
/// Expressions, pipelines in pipelines and stages that make several rows of one are recursive, and callers come on threads with as little
/// as half a megabyte. Most pipelines are neither deep nor long and stay on the thread of their caller.
package enum LargeStack {
    /// Address space: memory is taken only where the stack is used.
    package static let bytes = 16 << 20

    private final class Work {
        let body: () -> Void

        init(_ body: @escaping () -> Void) { self.body = body }
    }

    /// Runs work here, or on a new thread for which this one waits.
    static func run<R>(if isNeeded: Bool, _ body: () throws(FirestoreError) -> R) throws(FirestoreError) -> R {
        guard isNeeded else { return try body() }
        var result: Result<R, FirestoreError>?
        let hasRun = start {
            do throws(FirestoreError) {
                result = .success(try body())
            } catch {
                result = .failure(error)
            }
        }
        guard hasRun, let result else {
            throw FirestoreError(.resourceExhausted, "no thread could be started for the pipeline; try again later")
        }
        return try result.get()
    }

    /// False if no thread could be started; the work has not run then.
    private static func start(_ body: () -> Void) -> Bool {
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
            guard pthread_create(&thread, attributes, { Self.work($0) }, work.toOpaque()) == 0 else {
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

    private static func work(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
        return nil
    }
}

extension CheckedPipeline {
    /// Runs `body`, which reads a snapshot and executes the pipeline over it, on a thread with stack enough for it. A snapshot belongs to
    /// the thread that has opened it.
    package func withStack<R>(_ body: () throws(FirestoreError) -> R) throws(FirestoreError) -> R {
        try LargeStack.run(if: counts.isDeep, body)
    }
}

extension PipelineCounts {
    /// Whether it may need more stack than a thread of an app has, with room for a debug build.
    var isDeep: Bool { stages > 32 || pipelines > 2 || depth > 12 }
}
