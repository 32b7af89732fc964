// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#endif

/// The system's description of the call that has just failed.
enum SystemError {
    static var current: String { String(cString: strerror(errno)) }
}
