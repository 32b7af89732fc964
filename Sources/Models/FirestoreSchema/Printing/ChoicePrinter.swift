// SPDX-License-Identifier: Apache-2.0

/// Prints an enumeration with one case per stored type.
struct ChoicePrinter {
    let access: String
    let conformances: String
    let type: (FieldType) -> String

    /// Whether a map could pass for another value: `{seconds, nanoseconds}` for a timestamp, `{latitude, longitude}` for a
    /// geopoint, `{array}` for a vector; and a vector for a map.
    static func isAmbiguous(_ cases: [ChoiceCase]) -> Bool {
        cases.contains { $0.stored == .map } && cases.contains { [.timestamp, .geoPoint, .vector].contains($0.stored) }
    }

    func print(_ cases: [ChoiceCase], name: String, nested: (inout SwiftText) -> Void, into text: inout SwiftText) {
        text.block("\(access)enum \(name): \(conformances)") { text in
            for one in cases { text.line("case \(one.name)(\(type(one.type)))") }
            text.line()
            text.block("\(access)init(from decoder: any Decoder) throws") { printDecoding(cases, into: &$0) }
            text.line()
            text.block("\(access)func encode(to encoder: any Encoder) throws") { text in
                text.line("var container = encoder.singleValueContainer()")
                text.line("switch self {")
                for one in cases { text.line("case .\(one.name)(let value): try container.encode(value)") }
                text.line("}")
            }
            nested(&text)
        }
    }

    private func printDecoding(_ cases: [ChoiceCase], into text: inout SwiftText) {
        var rest = cases
        text.line("let container = try decoder.singleValueContainer()")
        if Self.isAmbiguous(cases), let map = cases.first(where: { $0.stored == .map }) {
            rest.removeAll { $0.stored == .map }
            // Vectors are stored as maps with this reserved name.
            text.block(
                "if let map = try? decoder.container(keyedBy: StoredName.self), !map.allKeys.contains(where: \\.isTypeName)"
            ) { text in
                text.line("self = .\(map.name)(try container.decode(\(type(map.type)).self))")
                text.line("return")
            }
        }
        // The error of the last one names the problem.
        guard let last = rest.popLast() else { return }
        for (index, one) in rest.enumerated() {
            text.line("\(index == 0 ? "" : "} else ")if let value = try? container.decode(\(type(one.type)).self) {")
            text.line("    self = .\(one.name)(value)")
        }
        let assignment = "self = .\(last.name)(try container.decode(\(type(last.type)).self))"
        if rest.isEmpty { return text.line(assignment) }
        text.line("} else {")
        text.line("    " + assignment)
        text.line("}")
    }
}
