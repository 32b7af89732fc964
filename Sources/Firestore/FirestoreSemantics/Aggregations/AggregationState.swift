// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The intermediate state of aggregations over a result. It sees each document once and stores only numbers.
struct AggregationState {
    private let aggregations: [Aggregation]
    /// The fields that are summed, without duplicates.
    private let paths: [FieldPathSegments]
    private let fields: [CompiledPath]
    private var totals: [NumberTotal]
    private var count = 0
    /// The values of one document; stored to avoid an allocation per document.
    private var values: [ValueView] = []

    init(_ aggregations: [Aggregation]) {
        self.aggregations = aggregations
        var paths: [FieldPathSegments] = []
        for aggregation in aggregations {
            switch aggregation.kind {
            case .sum(let path), .average(let path): if !paths.contains(path) { paths.append(path) }
            case .count: break
            }
        }
        self.paths = paths
        fields = paths.map { CompiledPath($0) }
        totals = paths.map { _ in NumberTotal() }
    }

    /// The fields that a document must have to be included (QR-67).
    var requiredFields: [FieldPathSegments] { paths }

    /// The count at which no result can change any more (QR-64); nil if all documents must be seen.
    var sufficientCount: Int? {
        guard paths.isEmpty else { return nil }
        var largest = 0
        for aggregation in aggregations {
            guard case .count(let upTo?) = aggregation.kind else { return nil }
            largest = max(largest, upTo)
        }
        return largest
    }

    var onlyCounts: Bool { paths.isEmpty }

    mutating func add(count more: Int) { count += more }

    mutating func add(_ document: FieldsView) -> ScanStep {
        values.removeAll(keepingCapacity: true)
        for field in fields {
            // Null and strings are present, as they would be in an index.
            guard let value = field.value(in: document) else { return .next }
            values.append(value)
        }
        for index in values.indices { totals[index].add(values[index]) }
        count += 1
        return count == sufficientCount ? .stop : .next
    }

    /// Adds a document of which only the value of the one required field is known; nil for a value that is no number.
    mutating func add(_ number: IndexedNumber?) {
        switch number {
        case .integer(let value): totals[0].add(value)
        case .double(let value): totals[0].add(value)
        case nil: break
        }
        count += 1
    }

    /// The results, in the order of the aggregations.
    var answers: [(alias: String, value: Value)] {
        zip(aggregations, aggregations.aliases).map { aggregation, alias in
            switch aggregation.kind {
            case .count(let upTo): (alias, .integer(Int64(min(count, upTo ?? count))))
            case .sum(let path): (alias, total(of: path)?.sum ?? .integer(0))
            case .average(let path): (alias, total(of: path)?.average ?? .null)
            }
        }
    }

    private func total(of path: FieldPathSegments) -> NumberTotal? {
        paths.firstIndex(of: path).map { totals[$0] }
    }
}
