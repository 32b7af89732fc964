#if Remote
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

enum ProcessLimits {
    /// A server needs a descriptor per connection: as many as the system allows. A peer that goes while we write is no
    /// reason to die.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        guard var limit = files, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(fileResource, &limit)
    }

    /// How many databases may have their files open at the same time: half of the descriptors that the system allows, at
    /// forty for each, and not more than memory is likely to hold.
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
#endif
