// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What distinguishes a file or folder from another one that takes its path: where it is stored.
package struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// nil if the path names nothing. Asks the system, which takes about a microsecond.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, inode) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
    }
}
