// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Writes documents as entities, byte for byte as the official emulator does, except that properties are sorted by
/// name.
struct EntityWriter {
    /// The database of the export.
    let database: DatabaseID

    func bytes(_ document: TransferredDocument) throws(FirestoreError) -> [UInt8] {
        do throws(FirestoreError) {
            if document.fields.containsPendingTimestamp { throw FirestoreError.pendingTimestamp }
            let map = try document.fields.map
            var entity = MessageBytes()
            entity.appendMessage(EntityField.key) { key in
                key.append(EntityField.app, text: "dev~" + database.projectID)
                key.appendMessage(EntityField.path) { path in Self.append(path: document.key.path, to: &path) }
                if !equalUTF8(database.databaseID, DatabaseID.defaultDatabase) {
                    key.append(EntityField.database, text: database.databaseID)
                }
            }
            append(map, to: &entity)
            entity.appendMessage(EntityField.entityGroup) { path in Self.append(path: Self.root(of: document.key.path), to: &path) }
            return entity.bytes
        } catch {
            throw error.located(at: document.key.path)
        }
    }

    // MARK: Paths

    private static func root(of path: String) -> String {
        let slashes = path.utf8.indices.filter { path.utf8[$0] == UInt8(ascii: "/") }
        return slashes.count > 1 ? String(path[..<slashes[1]]) : path
    }

    private static func append(path: String, to message: inout MessageBytes) {
        forEachElement(of: path) { collection, id, number in
            message.appendGroup(EntityField.element) { element in
                element.append(EntityField.elementType, bytes: collection)
                if let number {
                    element.append(EntityField.elementID, varint: UInt64(bitPattern: number))
                } else {
                    element.append(EntityField.elementName, bytes: id)
                }
            }
        }
    }

    /// Calls back with collections and ids; ids that represent numbers are passed as numbers (DM-6).
    private static func forEachElement(
        of path: String, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer, Int64?) -> Void
    ) {
        var path = path
        path.withUTF8 { text in
            let segments = text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                .map { UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[$0.startIndex..<$0.endIndex]) }
            for index in stride(from: 0, to: segments.count - 1, by: 2) {
                body(segments[index], segments[index + 1], PathOrdering.numericID(segments[index + 1]))
            }
        }
    }

    // MARK: Properties

    private func append(_ map: FieldMap, to entity: inout MessageBytes) {
        for (name, value) in map.entries { append(value, named: name, to: &entity) }
    }

    private func append(_ value: Value, named name: String, to entity: inout MessageBytes) {
        switch value {
        case .array(let elements) where elements.isEmpty:
            // The only property with an index, which allows queries for existence.
            entity.appendMessage(EntityField.property) { property in
                property.append(EntityField.meaning, integer: EntityMeaning.emptyList)
                property.append(EntityField.name, text: name)
                property.append(EntityField.multiple, integer: 0)
                property.append(EntityField.value, bytes: [])
            }
        case .array(let elements):
            for element in elements { append(element, named: name, isMultiple: true, to: &entity) }
        case .map(let map):
            guard let components = Self.components(of: map) else { return append(value, named: name, isMultiple: false, to: &entity) }
            for component in components {
                append(EntityMeaning.vector, named: name, isMultiple: true, to: &entity) { content in
                    content.append(EntityField.double, double: component)
                }
            }
        default: append(value, named: name, isMultiple: false, to: &entity)
        }
    }

    /// The components of a vector. An empty vector cannot be distinguished from an empty array, and is written as the
    /// map it is.
    private static func components(of map: FieldMap) -> [Double]? {
        guard map.entries.count == 2, case .string("__vector__")? = map["__type__"], case .array(let elements)? = map["value"],
            !elements.isEmpty
        else { return nil }
        var components: [Double] = []
        components.reserveCapacity(elements.count)
        for element in elements {
            guard case .double(let number) = element else { return nil }
            components.append(number)
        }
        return components
    }

    private func append(_ value: Value, named name: String, isMultiple: Bool, to entity: inout MessageBytes) {
        append(Self.meaning(of: value), named: name, isMultiple: isMultiple, to: &entity) { content in
            switch value {
            case .null: break
            case .boolean(let flag): content.append(EntityField.boolean, integer: flag ? 1 : 0)
            case .integer(let number): content.append(EntityField.integer, varint: UInt64(bitPattern: number))
            case .double(let number): content.append(EntityField.double, double: number)
            case .timestamp(let time):
                content.append(EntityField.integer, varint: UInt64(bitPattern: time.microsecondsSince1970))
            case .string(let text): content.append(EntityField.string, text: text)
            case .bytes(let bytes): content.append(EntityField.string, bytes: bytes)
            case .geoPoint(let point):
                content.appendGroup(EntityField.point) { group in
                    group.append(EntityField.x, double: point.latitude)
                    group.append(EntityField.y, double: point.longitude)
                }
            case .reference(let name): append(reference: name, to: &content)
            case .map(let map): content.append(EntityField.string, bytes: embedded(map))
            // An array cannot contain an array (DM-28).
            case .array: break
            }
        }
    }

    private static func meaning(of value: Value) -> Int {
        switch value {
        case .timestamp: EntityMeaning.timestamp
        case .geoPoint: EntityMeaning.geoPoint
        case .bytes: EntityMeaning.blob
        case .map: EntityMeaning.entity
        case .null, .boolean, .integer, .double, .string, .reference, .array: EntityMeaning.none
        }
    }

    private func append(
        _ meaning: Int, named name: String, isMultiple: Bool, to entity: inout MessageBytes, _ fill: (inout MessageBytes) -> Void
    ) {
        entity.appendMessage(EntityField.rawProperty) { property in
            if meaning != EntityMeaning.none { property.append(EntityField.meaning, integer: meaning) }
            property.append(EntityField.name, text: name)
            property.append(EntityField.multiple, integer: isMultiple ? 1 : 0)
            property.appendMessage(EntityField.value, fill)
        }
    }

    /// An entity without a name: its key and its group are empty.
    private func embedded(_ map: FieldMap) -> [UInt8] {
        var entity = MessageBytes()
        entity.appendMessage(EntityField.key) { key in
            key.append(EntityField.app, bytes: [])
            key.append(EntityField.path, bytes: [])
        }
        append(map, to: &entity)
        entity.append(EntityField.entityGroup, bytes: [])
        return entity.bytes
    }

    private func append(reference name: String, to content: inout MessageBytes) {
        var name = name
        content.appendGroup(EntityField.reference) { group in
            name.withUTF8 { text in
                guard let parts = ReferenceName(UnsafeRawBufferPointer(text)) else { return }
                group.append(EntityField.app, text: "dev~" + String(decoding: parts.project, as: UTF8.self))
                Self.forEachElement(of: parts.key.path) { collection, id, number in
                    group.appendGroup(EntityField.path) { element in
                        element.append(EntityField.referenceType, bytes: collection)
                        if let number {
                            element.append(EntityField.referenceID, varint: UInt64(bitPattern: number))
                        } else {
                            element.append(EntityField.referenceName, bytes: id)
                        }
                    }
                }
                let database = String(decoding: parts.database, as: UTF8.self)
                if !equalUTF8(database, DatabaseID.defaultDatabase) { group.append(EntityField.database, text: database) }
            }
        }
    }
}
