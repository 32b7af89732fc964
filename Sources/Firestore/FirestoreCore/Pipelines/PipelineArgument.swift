// SPDX-License-Identifier: Apache-2.0

/// An argument or an option of a stage or a function.
package indirect enum PipelineArgument: Sendable, Hashable {
    /// A constant.
    case constant(ValueBytes)
    /// The value of a field of the row, or its name, where a stage names fields.
    case field(FieldPathSegments)
    case variable(String)
    case function(PipelineFunction)
    /// A pipeline of its own: the other side of a union, or a sub-pipeline.
    case pipeline([PipelineStage])
    /// An array, if any of its elements is not a constant.
    case array([PipelineArgument])
    /// A map, if any of its values is not a constant. Sorted by the UTF-8 bytes of its keys.
    case map([PipelineEntry])
}

/// A call of a function.
package struct PipelineFunction: Sendable, Hashable {
    /// Its name on the wire.
    package var name: String
    package var arguments: [PipelineArgument]
    package var options: [String: PipelineArgument]

    package init(_ name: String, _ arguments: [PipelineArgument] = [], options: [String: PipelineArgument] = [:]) {
        self.name = name
        self.arguments = arguments
        self.options = options
    }
}

/// An entry of a map of arguments. Equality and hash of its key use UTF-8 bytes.
package struct PipelineEntry: Sendable {
    package var key: String
    package var value: PipelineArgument

    package init(_ key: String, _ value: PipelineArgument) {
        self.key = key
        self.value = value
    }
}

extension PipelineEntry: Hashable {
    package static func == (left: PipelineEntry, right: PipelineEntry) -> Bool {
        equalUTF8(left.key, right.key) && left.value == right.value
    }

    package func hash(into hasher: inout Hasher) {
        hashUTF8(key, into: &hasher)
        hasher.combine(value)
    }
}

extension PipelineArgument {
    package static func call(_ name: String, _ arguments: PipelineArgument...) -> PipelineArgument {
        .function(PipelineFunction(name, arguments))
    }

    package static func value(_ value: Value) -> PipelineArgument { .constant(ValueBytes(value)) }

    /// An array of arguments: a constant if all elements are.
    package static func elements(_ elements: [PipelineArgument]) throws(FirestoreError) -> PipelineArgument {
        var values: [Value] = []
        for element in elements {
            guard case .constant(let bytes) = element else { return .array(elements) }
            values.append(try bytes.value)
        }
        return .value(.array(values))
    }

    /// A map of arguments: a constant if all values are. Of several entries with one key the last is used.
    package static func entries(_ entries: [(String, PipelineArgument)]) throws(FirestoreError) -> PipelineArgument {
        let order = entries.indices.sorted { left, right in
            let order = compareUTF8(entries[left].0, entries[right].0)
            return order != 0 ? order < 0 : left < right
        }
        var sorted: [PipelineEntry] = []
        for index in order {
            if let last = sorted.last, equalUTF8(last.key, entries[index].0) { sorted.removeLast() }
            sorted.append(PipelineEntry(entries[index].0, entries[index].1))
        }
        var map: [(String, Value)] = []
        for entry in sorted {
            guard case .constant(let bytes) = entry.value else { return .map(sorted) }
            map.append((entry.key, try bytes.value))
        }
        return .value(.map(FieldMap(map)))
    }
}
