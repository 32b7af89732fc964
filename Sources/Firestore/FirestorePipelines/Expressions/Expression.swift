// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// An expression whose names are resolved.
///
/// All payloads are objects or trivial: evaluating one for a row retains nothing.
enum Expression: Sendable {
    case constant(Shared<ValueBytes>)
    case absent
    /// A function of constants that has failed, and why.
    case failed(Shared<String>)
    case field(Shared<CompiledPath>)
    /// `__name__`, `__create_time__` and `__update_time__`.
    case document(DocumentAttribute)
    /// The row as a map.
    case currentDocument
    case variable(slot: Int)
    case call(FunctionCall)
    /// `array_filter` and `array_transform`.
    case elements(Shared<ElementFunction>)
    case subpipeline(Shared<Subpipeline>)
}

/// A part of an expression that is shared by all of its copies.
final class Shared<Content: Sendable>: Sendable {
    let content: Content

    init(_ content: Content) { self.content = content }
}

/// What a row carries of the document it comes from, beside its fields.
enum DocumentAttribute: String, Sendable {
    case name = "__name__"
    case createTime = "__create_time__"
    case updateTime = "__update_time__"
}

extension Expression {
    func evaluate(_ row: Row, _ execution: Execution) throws(FirestoreError) -> EvaluatedValue {
        switch self {
        // The pipeline outlives its rows.
        case .constant(let bytes): return .encoded(bytes.content.view, owner: nil)
        case .absent: return .absent
        case .failed(let reason): return .fail(reason.content)
        case .field(let path):
            guard let view = path.content.value(in: row.fields) else { return .absent }
            return .encoded(view, owner: row.owner)
        case .document(let attribute): return row.value(of: attribute, in: execution.database)
        case .currentDocument: return row.asMap(in: execution.database)
        case .variable(let slot): return execution.frame[slot]
        case .call(let call): return try call.evaluate(row, execution)
        case .elements(let function): return try function.content.evaluate(row, execution)
        case .subpipeline(let pipeline): return try pipeline.content.evaluate(row, execution)
        }
    }

    /// Evaluates where a failure ends the request.
    func value(_ row: Row, _ execution: Execution) throws(FirestoreError) -> EvaluatedValue {
        let value = try evaluate(row, execution)
        if case .failure(let failure) = value { throw .invalidArgument(failure.reason) }
        return value
    }

    /// Whether it is a constant or consists of constants, apart from the time and from chance.
    var isConstant: Bool {
        switch self {
        case .constant, .absent, .failed: true
        case .call(let call): call.function.isPure && call.arguments.allSatisfy(\.isConstant)
        case .field, .document, .currentDocument, .variable, .elements, .subpipeline: false
        }
    }
}

extension Row {
    fileprivate func value(of attribute: DocumentAttribute, in database: DatabaseID) -> EvaluatedValue {
        switch attribute {
        case .name: name(in: database).map { .reference($0) } ?? .absent
        case .createTime: createTime.map { .timestamp($0.timestamp) } ?? .absent
        case .updateTime: updateTime.map { .timestamp($0.timestamp) } ?? .absent
        }
    }

    /// The fields, and the name of the document.
    fileprivate func asMap(in database: DatabaseID) -> EvaluatedValue {
        var map = MapBuilder()
        for (name, view) in fields { map.set(name, .encoded(view, owner: owner)) }
        if let name = name(in: database) { map.set(DocumentAttribute.name.rawValue, .reference(name)) }
        return map.value()
    }
}
