// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Time zones by name: those of the time zone database of the machine, `UTC`, and distances from Greenwich.
///
/// Files are read when a zone is first used, and remembered up to a bound.
final class TimeZones: Sendable {
    /// The database that `TZDIR` names, or that of the system.
    static let system = TimeZones(directory: getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo")

    private static let capacity = 64
    private static let largestFile = 1 << 20

    private let directory: String
    private let known = Mutex(RecentTable<String, TimeZoneRules>(capacity: TimeZones.capacity))

    init(directory: String) { self.directory = directory }

    /// nil for a name that is no time zone.
    subscript(name: String) -> TimeZoneRules? {
        if name == "UTC" || name == "GMT" { return .utc }
        if let rules = Self.greenwich(name) { return rules }
        guard Self.isName(name) else { return nil }
        if let rules = known.withLock({ $0[name] }) { return rules }
        guard let bytes = Self.content(of: directory + "/" + name), let rules = TimeZoneFile.rules(bytes) else { return nil }
        return known.withLock { $0.with(name, default: rules) { $0 } }
    }

    /// `GMT+hh:mm` and `GMT+hh:mm:ss`. As in `Etc/GMT+6`, plus is west of Greenwich (PL-120).
    private static func greenwich(_ name: String) -> TimeZoneRules? {
        let text = name.utf8
        guard text.starts(with: "GMT".utf8), text.count == 9 || text.count == 12 else { return nil }
        let sign = text.dropFirst(3).first
        let parts = text.dropFirst(4).split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), (2...3).contains(parts.count) else { return nil }
        var seconds: Int64 = 0
        for (index, part) in parts.enumerated() {
            guard part.count == 2, part.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let number = Int64(String(Substring(part))), number < (index == 0 ? 24 : 60)
            else { return nil }
            seconds = seconds * 60 + number
        }
        if parts.count == 2 { seconds *= 60 }
        return TimeZoneRules(offset: sign == UInt8(ascii: "+") ? -seconds : seconds)
    }

    /// Whether a name cannot leave the directory: segments of letters, digits and a few signs, none of which begins with a dot.
    private static func isName(_ name: String) -> Bool {
        guard name.utf8.count <= 64 else { return false }
        return name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { segment in
            !segment.isEmpty
                && segment.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
                        true
                    default: false
                    }
                }
        }
    }

    /// nil for a file that cannot be read, or is too large for a time zone.
    private static func content(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while bytes.count <= largestFile {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
        return nil
    }
}
