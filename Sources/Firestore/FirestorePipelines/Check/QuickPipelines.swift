// SPDX-License-Identifier: Apache-2.0

extension CheckedPipeline {
    /// Whether it wants so few rows, and computes so little for each, that its result may be made on the thread of its caller.
    package func isQuick(atMost count: Int) -> Bool {
        guard case .scope = source, isAlone, !writes, !counts.isDeep else { return false }
        var (isLimited, skipped) = (false, 0)
        for stage in stages {
            switch stage.stage {
            case .filter(let condition): if !condition.isQuick { return false }
            case .sort(let keys): if isLimited || !keys.allSatisfy(\.expression.isQuick) { return false }
            case .offset(let rows): skipped = skipped.addingReportingOverflow(rows).partialValue
            case .limit(let rows): isLimited = isLimited || (rows <= count && skipped <= count - rows)
            case .shape(let shape): if !shape.isQuick { return false }
            case .sample, .bind, .aggregate, .unnest, .union, .replace, .nearest: return false
            }
        }
        return isLimited
    }
}

extension RowShape {
    fileprivate var isQuick: Bool { entries.allSatisfy(\.content.isQuick) && attributes.allSatisfy { $0.value?.isQuick ?? true } }
}

extension RowShape.Content {
    fileprivate var isQuick: Bool {
        switch self {
        case .value(let expression): expression.isQuick
        case .removed: true
        case .map(let entries): entries.allSatisfy(\.content.isQuick)
        }
    }
}

extension Expression {
    /// Whether evaluating it takes no longer than comparing values of the row.
    fileprivate var isQuick: Bool {
        switch self {
        case .constant, .absent, .failed, .field, .document, .variable: true
        case .call(let call): FunctionTable.isComparison(call.function.name) && call.arguments.allSatisfy(\.isQuick)
        case .currentDocument, .elements, .subpipeline: false
        }
    }
}
