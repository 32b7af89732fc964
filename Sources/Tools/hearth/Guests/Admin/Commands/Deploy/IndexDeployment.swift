// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreServer
import FirestoreWire

/// The indexes and fields of `firestore.indexes.json`, and what has to change so that a database has them.
struct IndexDeployment {
    /// A change, and how it is shown.
    struct Change {
        enum Step {
            case createIndex(group: String, JSON)
            case deleteIndex(name: String)
            case updateField(group: String, path: String, JSON, mask: String)
        }

        let step: Step
        let text: String
        /// Whether it removes what the file does not have.
        var isRemoval = false
    }

    private let indexes: [JSON]
    private let overrides: [JSON]

    init(_ file: IndexFile) {
        indexes = file.indexes
        overrides = file.overrides
    }

    /// The changes, in the order in which they are made: a policy ends before another one of its collection begins.
    func changes(indexes present: [JSON], fields: [JSON]) -> [Change] {
        let known = Set(present.map { Array(IndexFile.text(of: $0, group: AdminText.group($0.text("name"))).utf8) })
        let wanted = Set(indexes.map { Array(IndexFile.text(of: $0).utf8) })
        var changes: [Change] = []
        for index in indexes {
            let text = IndexFile.text(of: index)
            guard !known.contains(Array(text.utf8)) else { continue }
            let message = JSON.members([("queryScope", .string(Self.scope(index))), ("fields", index["fields"])])
            changes.append(Change(step: .createIndex(group: Self.group(index), message), text: "create the index \(text)"))
        }
        changes += fieldChanges(fields)
        for index in present {
            let text = IndexFile.text(of: index, group: AdminText.group(index.text("name")))
            guard !wanted.contains(Array(text.utf8)) else { continue }
            changes.append(Change(step: .deleteIndex(name: index.text("name")), text: "delete the index \(text)", isRemoval: true))
        }
        return changes
    }

    private func fieldChanges(_ fields: [JSON]) -> [Change] {
        let present = fields.filter { AdminText.group($0.text("name")) != "__default__" }
        var removals: [Change] = []
        for field in present {
            let (group, path) = (AdminText.group(field.text("name")), AdminText.fieldPath(field.text("name")))
            guard !overrides.contains(where: { Self.isOf($0, group, path) }) else { continue }
            let end = AdminText.expiry(field).isEmpty ? "" : ": documents do not expire by it any more (now \(AdminText.expiry(field)))"
            removals.append(
                Change(
                    step: .updateField(group: group, path: path, .object([]), mask: ""), text: "reset the field \(group).\(path)\(end)",
                    isRemoval: true))
        }
        let changes = overrides.compactMap { override in change(override, fields) }
        return removals + changes.filter { !$0.beginsExpiry }.map(\.change) + changes.filter(\.beginsExpiry).map(\.change)
    }

    private func change(_ override: JSON, _ fields: [JSON]) -> (change: Change, beginsExpiry: Bool)? {
        let (group, path) = (Self.group(override), override.text("fieldPath"))
        let field = fields.first { field in
            equalUTF8(AdminText.group(field.text("name")), group) && equalUTF8(AdminText.fieldPath(field.text("name")), path)
        }
        let entries = override.elements("indexes").map { entry -> JSON in
            var own = entry
            own.setMember("queryScope", nil)
            own.setMember("fieldPath", .string(path))
            return .object([("queryScope", .string(Self.scope(entry))), ("fields", .array([own]))])
        }
        // The file says whether documents expire by the field, and not how long after: what is on stays as it is, with its offset.
        let hasExpiry = field?["ttlConfig"] != nil
        let changesExpiry = override["ttl"] != nil && override.flag("ttl") != hasExpiry
        let message = JSON.members([
            ("indexConfig", .object([("indexes", .array(entries))])),
            ("ttlConfig", changesExpiry && override.flag("ttl") ? .object([]) : nil),
        ])
        let isSame =
            field.map { $0["indexConfig"]?.flag("usesAncestorConfig") != true && Self.entries($0) == Self.entries(message) } ?? false
        guard !isSame || changesExpiry else { return nil }
        var text = "set the field \(group).\(path): indexes \(AdminText.indexes(message))"
        if changesExpiry {
            let now = field.map { AdminText.expiry($0) } ?? ""
            text += override.flag("ttl") ? ", documents expire by it" : ", documents do not expire by it any more (now \(now))"
        } else if let field, hasExpiry {
            text += ", documents expire by it as before (\(AdminText.expiry(field)))"
        }
        let mask = changesExpiry ? "indexConfig,ttlConfig" : "indexConfig"
        return (
            Change(step: .updateField(group: group, path: path, message, mask: mask), text: text), changesExpiry && override.flag("ttl")
        )
    }

    // MARK: Comparing

    private static func entries(_ field: JSON) -> Set<String> {
        Set(
            (field["indexConfig"]?.elements("indexes") ?? []).map { index in
                let entry = index.elements("fields").first ?? .null
                let vector = entry["vectorConfig"].map { "vector \($0.integer("dimension"))" }
                return "\(scope(index)) \(entry.text("order"))\(entry.text("arrayConfig"))\(vector ?? "")"
            })
    }

    private static func group(_ entry: JSON) -> String { entry.text("collectionGroup") }

    private static func isOf(_ override: JSON, _ group: String, _ path: String) -> Bool {
        equalUTF8(Self.group(override), group) && equalUTF8(override.text("fieldPath"), path)
    }

    private static func scope(_ entry: JSON) -> String {
        entry.text("queryScope") == "COLLECTION_GROUP" ? "COLLECTION_GROUP" : "COLLECTION"
    }
}
