// SPDX-License-Identifier: Apache-2.0
#if DEBUG
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Darwin)
        import Darwin
    #elseif canImport(Musl)
        import Musl
    #endif
#endif

/// Counts what a thread looks at: comparisons, entries, elements, bytes of texts.
///
/// Tests compare the count at a size with the count at four times the size: work that a stranger sizes must not grow faster than its
/// input. It exists in debug builds only; in release builds `add` is nothing.
///
/// `public`, because inlinable primitives of this module call it (`docs/decisions/0009-public-primitives-in-core.md`).
public enum WorkCounter {
    @inlinable @inline(__always)
    public static func add(_ amount: Int = 1) {
        #if DEBUG
            count(amount)
        #endif
    }

    #if DEBUG
        /// Holds a pointer to the count of the measurement that the thread is in.
        private static let key: pthread_key_t = {
            var key = pthread_key_t()
            pthread_key_create(&key, nil)
            return key
        }()

        @usableFromInline
        static func count(_ amount: Int) {
            guard let count = pthread_getspecific(key) else { return }
            count.assumingMemoryBound(to: Int.self).pointee += amount
        }

        /// What this thread looks at in `body`. Other threads are not counted.
        package static func measure<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) -> Int {
            let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
            count.initialize(to: 0)
            let outer = pthread_getspecific(key)
            pthread_setspecific(key, count)
            defer {
                pthread_setspecific(key, outer)
                count.deallocate()
            }
            try body()
            return count.pointee
        }
    #endif
}
