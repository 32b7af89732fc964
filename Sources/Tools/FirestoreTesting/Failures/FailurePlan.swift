// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore

/// The operations that are planned to fail, and their errors.
final class FailurePlan: Sendable {
    private struct Order {
        let operations: TestFirestore.Operations
        var count: Int
        let error: FirestoreError
        let path: TargetPath?
    }

    private let orders = Mutex<[Order]>([])
    private let onOperation: @Sendable () -> Void

    /// - Parameter onOperation: Called for every operation, in the task that began it.
    init(onOperation: @escaping @Sendable () -> Void) { self.onOperation = onOperation }

    func add(_ operations: TestFirestore.Operations, count: Int, code: FirestoreErrorCode.Code, path: String?) {
        guard count > 0, let code = FirestoreError.Code(rawValue: code.rawValue), code != .ok else { return }
        let order = Order(
            operations: operations, count: count, error: FirestoreError(code, "failed because the test asked for it"),
            path: path.map { TargetPath($0) })
        orders.withLock { $0.append(order) }
    }

    func removeAll() { orders.withLock { $0 = [] } }

    var pending: Int {
        orders.withLock { orders in
            orders.reduce(0) { total, order in
                let (sum, isTooMuch) = total.addingReportingOverflow(order.count)
                return isTooMuch ? .max : sum
            }
        }
    }

    /// The planned failure of an operation, which is then used up; nil to let the operation through.
    func failure(of operation: TestFirestore.Operations, on targets: @autoclosure () -> [OperationTarget]) -> FirestoreError? {
        onOperation()
        return orders.withLock { orders in
            let index = orders.firstIndex { order in
                guard !order.operations.isDisjoint(with: operation) else { return false }
                guard let path = order.path else { return true }
                return targets().contains { path.covers($0) }
            }
            guard let index else { return nil }
            let error = orders[index].error
            if orders[index].count == 1 {
                orders.remove(at: index)
            } else if orders[index].count < .max {
                // `Int.max` means always.
                orders[index].count -= 1
            }
            return error
        }
    }
}

enum OperationTarget {
    /// A document, or a collection that is queried.
    case path(String)
    /// All collections with an id, below a document or in the whole database.
    case group(id: String, under: String?)
    /// Everything below a document, or in the whole database.
    case everything(under: String?)

    init(_ scope: QueryScope) {
        switch scope {
        case .collection(let collection): self = .path(collection.path)
        case .collectionGroup(let id, let under): self = .group(id: id, under: under?.path)
        case .kindless(let under, _): self = .everything(under: under?.path)
        }
    }
}

/// The path of a document or collection in which operations fail.
struct TargetPath {
    private let segments: [[UInt8]]

    init(_ path: String) { segments = Self.segments(path) }

    func covers(_ target: OperationTarget) -> Bool {
        switch target {
        case .path(let path): Self.segments(path).starts(with: segments)
        case .everything(let under): Self.segments(under ?? "").starts(with: segments)
        case .group(let id, let under):
            // The path of a collection with the id, or one that everything of the group lies below.
            (segments.count % 2 == 1 && segments.last == Array(id.utf8))
                || (under.map { Self.segments($0).starts(with: segments) } ?? segments.isEmpty)
        }
    }

    private static func segments(_ path: String) -> [[UInt8]] {
        path.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
    }
}
