// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The fields of a map under their names after the key strategy (R64, R66). Made once per keyed container.
final class RenamedFields {
    private var values: [[UInt8]: ValueView] = [:]
    private(set) var names: [String] = []

    init(_ fields: FieldsView, state: DecodingState, node: DecodingNode?) {
        let outer = DecodingNode.path(node)
        var iterator = fields.makeIterator()
        while let (name, value) = iterator.next() {
            let stored = String(decoding: name, as: UTF8.self)
            let converted: String
            switch state.options.keys {
            case .useDefaultKeys: converted = stored
            case .convertFromSnakeCase: converted = SnakeCase.toCamelCase(stored)
            case .custom(let closure): converted = closure(outer + [NameKey(stored)]).stringValue
            }
            // Of several fields with the same name, the last in the order of names is used (R66).
            if values.updateValue(value, forKey: [UInt8](converted.utf8)) == nil { names.append(converted) }
        }
        if iterator.isDamaged { state.isDamaged = true }
    }

    func find(_ name: String) -> ValueView? { values[[UInt8](name.utf8)] }
}
