// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A filter prepared for many documents.
indirect enum CompiledFilter: Sendable {
    case value(CompiledPath, ValueTest)
    case key(KeyTest)
    case and([CompiledFilter])
    case or([CompiledFilter])

    init(_ filter: QueryFilter, database: DatabaseID) {
        switch filter {
        case .field(let path, let op, let operand) where path.isDocumentID:
            self = .key(KeyTest(op, operand, database: database))
        case .field(let path, let op, let operand):
            self = .value(CompiledPath(path), ValueTest(op, operand))
        case .and(let filters): self = .and(filters.map { CompiledFilter($0, database: database) })
        case .or(let filters): self = .or(filters.map { CompiledFilter($0, database: database) })
        }
    }

    /// Whether the filter reads the document's key.
    var needsKey: Bool {
        switch self {
        case .value: false
        case .key: true
        case .and(let filters), .or(let filters): filters.contains(where: \.needsKey)
        }
    }

    /// A missing field meets no condition (QR-5). `key` is not nil if `needsKey`.
    func matches(key: DocumentKey?, fields: FieldsView) -> Bool {
        switch self {
        case .value(let path, let test): path.value(in: fields).map(test.matches) ?? false
        case .key(let test): key.map(test.matches) ?? false
        case .and(let filters): filters.allSatisfy { $0.matches(key: key, fields: fields) }
        case .or(let filters): filters.contains { $0.matches(key: key, fields: fields) }
        }
    }
}

/// A comparison of the document id with references (QR-17), in the order of VAL-14.
struct KeyTest: Sendable {
    private let op: QueryFilter.FieldOperator
    private let operands: [KeyOperand]

    init(_ op: QueryFilter.FieldOperator, _ operand: ValueBytes, database: DatabaseID) {
        defer { withExtendedLifetime(operand) {} }
        self.op = op
        if op.listLimit != nil {
            operands = operand.view.elements.map { $0.map { KeyOperand($0, database: database) } } ?? []
        } else {
            operands = [KeyOperand(operand.view, database: database)]
        }
    }

    func matches(_ key: DocumentKey) -> Bool {
        switch op {
        case .in: operands.contains { $0.compare(key) == 0 }
        case .notIn: operands.allSatisfy { $0.compare(key) != 0 }
        case .arrayContains, .arrayContainsAny: false
        default: operands.allSatisfy { op.accepts($0.compare(key)) }
        }
    }
}
