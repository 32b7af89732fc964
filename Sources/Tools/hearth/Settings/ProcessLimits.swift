// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

enum ProcessLimits {
    /// Raises the number of descriptors to the limit of the system, since a server needs one per connection, and
    /// ignores SIGPIPE, so that a peer that disconnects does not end the process.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        guard var limit = files, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(fileResource, &limit)
    }

    /// The maximum number of databases whose files are open at the same time: half of the descriptors that the system
    /// allows, at forty for each, limited by the number that is likely to fit into memory.
    static var databases: Int {
        let descriptors = files.map { Int(min($0.rlim_max, rlim_t(1 << 30))) } ?? 1_024
        return min(max(descriptors / 2 / 40, 12), 500)
    }

    private static var files: rlimit? {
        var limit = rlimit()
        return getrlimit(fileResource, &limit) == 0 ? limit : nil
    }

    #if canImport(Glibc)
        private static var fileResource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #else
        private static var fileResource: Int32 { RLIMIT_NOFILE }
    #endif
}
