// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreTransfer

/// Changes whose result depends on the stored value, or on the time of the commit.
struct TransformOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Add to a number; a missing field is treated as 0.", valueName: "field=number"))
    var increment: [String] = []

    @Option(help: ArgumentHelp("Set a field that is smaller, or missing, to this number.", valueName: "field=number"))
    var maximum: [String] = []

    @Option(help: ArgumentHelp("Set a field that is larger, or missing, to this number.", valueName: "field=number"))
    var minimum: [String] = []

    @Option(help: ArgumentHelp("Append to an array what it does not contain: a value, or an array of values.", valueName: "field=value"))
    var append: [String] = []

    @Option(help: ArgumentHelp("Remove elements from an array, all occurrences: a value, or an array of values.", valueName: "field=value"))
    var remove: [String] = []

    @Option(help: ArgumentHelp("Set a field to the time of the commit.", valueName: "field"))
    var serverTimestamp: [String] = []

    var isEmpty: Bool {
        increment.isEmpty && maximum.isEmpty && minimum.isEmpty && append.isEmpty && remove.isEmpty && serverTimestamp.isEmpty
    }

    /// In the order of the options here.
    func transforms(in database: DatabaseID) throws(FirestoreError) -> [FieldTransform] {
        var result: [FieldTransform] = []
        for (option, texts) in [("--increment", increment), ("--maximum", maximum), ("--minimum", minimum)] {
            for text in texts {
                let (path, value) = try FieldAssignment.parse(text, option, in: database)
                switch value.view.kind {
                case .integer, .double: break
                default: throw .invalidArgument("a number is expected", at: "\(option) \(text)")
                }
                let number = try value.value
                let kind: FieldTransform.Kind =
                    switch option {
                    case "--increment": .increment(number)
                    case "--maximum": .maximum(number)
                    default: .minimum(number)
                    }
                result.append(FieldTransform(path: path, kind: kind))
            }
        }
        for text in append {
            let (path, value) = try FieldAssignment.parse(text, "--append", in: database)
            result.append(FieldTransform(path: path, kind: .appendMissingElements(Self.elements(try value.value))))
        }
        for text in remove {
            let (path, value) = try FieldAssignment.parse(text, "--remove", in: database)
            result.append(FieldTransform(path: path, kind: .removeAllFromArray(Self.elements(try value.value))))
        }
        for path in try FieldPathText.list(serverTimestamp) { result.append(FieldTransform(path: path, kind: .serverTimestamp)) }
        return result
    }

    /// An array cannot contain an array: an array represents its elements.
    private static func elements(_ value: Value) -> [Value] {
        if case .array(let elements) = value { elements } else { [value] }
    }
}
