// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Reads the entities of an export: serialized `EntityProto`s of Datastore, whose kinds are collections.
struct EntityReader {
    /// The database of the import. References into the exported database are mapped to it.
    let database: DatabaseID

    func document(_ bytes: UnsafeRawBufferPointer) -> Result<TransferredDocument, FirestoreError> {
        var key: EntityKey?
        do throws(EntityProblem) {
            let parts = try EntityParts(bytes)
            guard let keyBytes = parts.key else { throw EntityProblem(.noKey) }
            let found = try EntityKey(keyBytes)
            key = found
            let map = try self.map(parts.properties, of: found, depth: 0)
            return .success(TransferredDocument(key: DocumentKey(trusted: found.path), fields: FieldBytes(map)))
        } catch {
            return .failure(error.error(in: key?.path))
        }
    }

    private func map(
        _ properties: [UnsafeRawBufferPointer], of owner: EntityKey, depth: Int
    ) throws(EntityProblem) -> FieldMap {
        guard depth <= Limits.nestingLevels else { throw EntityProblem(.tooDeep) }
        var found: [(offset: Int, property: EntityProperty)] = []
        found.reserveCapacity(properties.count)
        for (offset, bytes) in properties.enumerated() { found.append((offset, try EntityProperty(bytes))) }
        // The elements of an array are properties with the same name, in order.
        found.sort { left, right in
            let order = compareBytes(left.property.name, right.property.name)
            return order == 0 ? left.offset < right.offset : order < 0
        }
        var fields: [(String, Value)] = []
        var rest = found[...]
        while let first = rest.first?.property {
            let count = rest.firstIndex { compareBytes($0.property.name, first.name) != 0 }.map { $0 - rest.startIndex } ?? rest.count
            guard let name = String(validating: first.name, as: UTF8.self) else { throw EntityProblem(.badText) }
            do { fields.append((name, try value(rest.prefix(count).map(\.property), of: owner, depth: depth))) } catch {
                throw error.inside(name)
            }
            rest = rest.dropFirst(count)
        }
        return FieldMap(fields)
    }

    /// The value of all properties with the same name.
    private func value(
        _ properties: [EntityProperty], of owner: EntityKey, depth: Int
    ) throws(EntityProblem) -> Value {
        if properties.count == 1, let only = properties.first {
            if only.meaning == EntityMeaning.emptyList { return .array([]) }
            if !only.isMultiple { return try value(only, of: owner, depth: depth) }
        }
        guard properties.allSatisfy(\.isMultiple) else { throw EntityProblem(.repeated) }
        if properties.first?.meaning == EntityMeaning.vector { return try vector(properties) }
        var elements: [Value] = []
        elements.reserveCapacity(properties.count)
        for (index, property) in properties.enumerated() {
            do { elements.append(try value(property, of: owner, depth: depth + 1)) } catch { throw error.inside(index) }
        }
        return .array(elements)
    }

    /// The components are properties with the same name, each with the meaning.
    private func vector(_ properties: [EntityProperty]) throws(EntityProblem) -> Value {
        var components: [Double] = []
        components.reserveCapacity(properties.count)
        for property in properties {
            guard property.meaning == EntityMeaning.vector, case .double(let number) = try EntityValue(property.value) else {
                throw EntityProblem(.wrongValue(meaning: EntityMeaning.vector))
            }
            components.append(number)
        }
        return .vector(components)
    }

    private func value(_ property: EntityProperty, of owner: EntityKey, depth: Int) throws(EntityProblem) -> Value {
        let content = try EntityValue(property.value)
        switch (property.meaning, content) {
        case (_, .user): throw EntityProblem(.unknownValue("a user of Google's accounts"))
        // Both depend on all properties of a name together.
        case (EntityMeaning.emptyList, _), (EntityMeaning.vector, _): throw EntityProblem(.wrongValue(meaning: property.meaning))
        case (_, .null): return .null
        case (EntityMeaning.none, .boolean(let flag)): return .boolean(flag)
        case (EntityMeaning.none, .integer(let number)): return .integer(number)
        case (EntityMeaning.none, .double(let number)): return .double(number)
        case (EntityMeaning.none, .string(let bytes)), (EntityMeaning.text, .string(let bytes)):
            guard let text = String(validating: bytes, as: UTF8.self) else { throw EntityProblem(.badText) }
            return .string(text)
        case (EntityMeaning.none, .reference(let fields)):
            return .reference(try EntityKey(reference: fields).name(from: owner, in: database))
        case (EntityMeaning.none, .point(let point)), (EntityMeaning.geoPoint, .point(let point)): return .geoPoint(point)
        case (EntityMeaning.timestamp, .integer(let microseconds)):
            return .timestamp(TimestampValue(microsecondsSince1970: microseconds))
        case (EntityMeaning.blob, .string(let bytes)), (EntityMeaning.byteString, .string(let bytes)):
            return .bytes([UInt8](bytes))
        case (EntityMeaning.entity, .string(let bytes)):
            return .map(try map(try EntityParts(bytes).properties, of: owner, depth: depth + 1))
        case (EntityMeaning.none, _), (EntityMeaning.text, _), (EntityMeaning.geoPoint, _), (EntityMeaning.timestamp, _),
            (EntityMeaning.blob, _), (EntityMeaning.byteString, _), (EntityMeaning.entity, _):
            throw EntityProblem(.wrongValue(meaning: property.meaning))
        default: throw EntityProblem(.unknownMeaning(property.meaning))
        }
    }
}
