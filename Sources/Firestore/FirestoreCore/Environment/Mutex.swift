// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#endif

/// A lock and the state it guards, with the interface of the standard library's `Mutex`.
///
/// The standard library's is not used, because the thread sanitizer does not see its futex on Linux and reports every guarded
/// access as a race; it does see `pthread_mutex_t`. A tool that finds races is worth one allocation per lock.
///
/// `@unchecked Sendable`: `state` is reached through `withLock` only, under the lock.
package struct Mutex<State: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let handle: UnsafeMutablePointer<pthread_mutex_t>
    private let state: UnsafeMutablePointer<State>

    package init(_ initial: consuming sending State) {
        handle = .allocate(capacity: 1)
        pthread_mutex_init(handle, nil)
        state = .allocate(capacity: 1)
        state.initialize(to: initial)
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
        pthread_mutex_destroy(handle)
        handle.deallocate()
    }

    /// Runs `body` with the lock held. Not recursive.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(handle)
        defer { pthread_mutex_unlock(handle) }
        return try body(&state.pointee)
    }
}

extension Mutex where State == Bool {
    /// Sets the flag, and returns whether this call is the first to do so.
    package borrowing func setOnce() -> Bool {
        withLock { flag in
            defer { flag = true }
            return !flag
        }
    }
}
