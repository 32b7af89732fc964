// SPDX-License-Identifier: Apache-2.0

/// Which fields have no index of their own. By default every field has one.
///
/// The nearest setting decides: that of the field itself, of a map that contains it, of all fields of its collections, of all fields of
/// the database.
package struct IndexExemptions: Sendable, Hashable {
    package struct Setting: Sendable, Hashable {
        /// nil for all collections.
        package let collectionID: String?
        /// nil for all fields.
        package let path: FieldPathSegments?
        package let isExempt: Bool

        package init(collectionID: String?, path: FieldPathSegments?, isExempt: Bool) {
            self.collectionID = collectionID
            self.path = path
            self.isExempt = isExempt
        }
    }

    package let settings: [Setting]

    package init(_ settings: [Setting] = []) { self.settings = settings }

    package var isEmpty: Bool { settings.isEmpty }

    package func contains(_ field: FieldPathSegments, of collectionID: String) -> Bool {
        var nearest: (rank: Int, isExempt: Bool)?
        for setting in settings {
            if let own = setting.collectionID, !equalUTF8(own, collectionID) { continue }
            if let path = setting.path, !path.isPrefix(of: field) { continue }
            let rank = (setting.collectionID == nil ? 0 : 1) + (setting.path?.segments.count ?? 0) * 2
            if nearest.map({ $0.rank < rank }) ?? true { nearest = (rank, setting.isExempt) }
        }
        return nearest?.isExempt ?? false
    }

    /// Whether an index has a field without an index of its own.
    package func concern(_ definition: IndexDefinition) -> Bool {
        !isEmpty && definition.fields.contains { contains($0.path, of: definition.collectionID) }
    }
}

/// As a database stores them.
extension IndexExemptions {
    package static let fact = "hearth/admin/exemptions"

    /// nil if the bytes are damaged.
    package init?(stored bytes: ByteSlice) {
        guard let json = try? JSON(bytes.withUnsafeBytes { Array($0) }), case .array(let entries) = json else { return nil }
        settings = entries.compactMap { entry in
            guard case .boolean(let isExempt)? = entry["exempt"] else { return nil }
            var (collectionID, path) = (nil as String?, nil as FieldPathSegments?)
            if case .string(let id)? = entry["collection"] { collectionID = id }
            if case .string(let text)? = entry["field"] { path = try? PathCheck.fieldPath(wire: text) }
            return Setting(collectionID: collectionID, path: path, isExempt: isExempt)
        }
    }

    package var stored: ByteSlice {
        let entries = settings.map { setting -> JSON in
            var members: [(name: String, value: JSON)] = [("exempt", .boolean(setting.isExempt))]
            if let id = setting.collectionID { members.append(("collection", .string(id))) }
            if let path = setting.path { members.append(("field", .string(path.canonical))) }
            return .object(members)
        }
        return ByteSlice(JSON.array(entries).bytes())
    }
}
