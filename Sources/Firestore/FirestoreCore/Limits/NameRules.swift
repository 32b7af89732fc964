// SPDX-License-Identifier: Apache-2.0

/// The rules for ids and field names, on their UTF-8 bytes (DM-5, DM-6, DM-15). Allocates nothing.
package enum NameRules {
    package enum Violation: Sendable {
        case empty, tooLong, reserved, dots, slash, invalidUTF8

        /// Completes "the … " with the problem and its remedy.
        package var explanation: String {
            switch self {
            case .empty: "is empty; give it at least one character"
            case .tooLong: "is longer than \(Limits.nameBytes) bytes of UTF-8; shorten it"
            case .reserved:
                "begins and ends with two underscores; such names are reserved (BSON types, such as __int__ and __oid__, are not "
                    + "supported: store a number, a string or bytes)"
            case .dots: "is \".\" or \"..\"; choose another"
            case .slash: "contains a slash; slashes separate the segments of a path"
            case .invalidUTF8: "is not valid UTF-8"
            }
        }
    }

    /// Collection ids: nothing of the form `__…__`.
    package static func collectionID(_ id: UnsafeRawBufferPointer) -> Violation? {
        if let violation = segment(id) { return violation }
        return isReserved(id) ? .reserved : nil
    }

    /// Document ids: as collection ids, but numeric ids (`__id7__`) are valid (DM-6).
    package static func documentID(_ id: UnsafeRawBufferPointer) -> Violation? {
        if let violation = segment(id) { return violation }
        return isReserved(id) && PathOrdering.numericID(id) == nil ? .reserved : nil
    }

    /// Field names and map keys at any depth. Dots, spaces and slashes are valid here (DM-17).
    package static func fieldName(_ name: UnsafeRawBufferPointer) -> Violation? {
        if name.isEmpty { return .empty }
        if name.count > Limits.nameBytes { return .tooLong }
        return isReserved(name) ? .reserved : nil
    }

    /// Matches `__.*__`, but not `__` and `___`.
    package static func isReserved(_ name: UnsafeRawBufferPointer) -> Bool {
        let underscore = UInt8(ascii: "_")
        let count = name.count
        return count >= 4 && name[0] == underscore && name[1] == underscore && name[count - 1] == underscore
            && name[count - 2] == underscore
    }

    private static func segment(_ id: UnsafeRawBufferPointer) -> Violation? {
        let dot = UInt8(ascii: ".")
        switch id.count {
        case 0: return .empty
        case 1 where id[0] == dot: return .dots
        case 2 where id[0] == dot && id[1] == dot: return .dots
        case (Limits.nameBytes + 1)...: return .tooLong
        default: return id.contains(UInt8(ascii: "/")) ? .slash : nil
        }
    }
}
