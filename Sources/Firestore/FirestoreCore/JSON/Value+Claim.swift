// SPDX-License-Identifier: Apache-2.0

extension Value {
    /// A claim of a token as security rules compare it: whole numbers are integers, in any notation.
    package init(claim json: JSON) {
        switch json {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .number(let text):
            let number = Double(text) ?? .nan
            self = (Int64(text) ?? Int64(exactly: number)).map { .integer($0) } ?? .double(number)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { Value(claim: $0) })
        case .object(let members): self = .map(FieldMap(members.map { ($0.name, Value(claim: $0.value)) }))
        }
    }
}
