// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A set of values, as intervals of their encodings, that meet one or several conditions on one field.
///
/// It contains exactly the values that `ValueTest` accepts, so an index entry alone can answer.
struct ValueIntervals: Hashable, Sendable {
    struct Interval: Hashable, Sendable {
        let lower: KeyCut
        let upper: KeyCut
        /// The encoding, if the interval is a single value.
        let point: [UInt8]?

        init(_ lower: KeyCut, _ upper: KeyCut) {
            self.lower = lower
            self.upper = upper
            point = nil
        }

        init(point: [UInt8]) {
            lower = .before(point)
            upper = .after(point)
            self.point = point
        }

        func intersection(_ other: Interval) -> Interval? {
            let lower = max(lower, other.lower)
            let upper = min(upper, other.upper)
            guard lower < upper else { return nil }
            return (point ?? other.point).map(Interval.init(point:)) ?? Interval(lower, upper)
        }

        /// The interval in a descending column.
        var flipped: Interval { Interval(upper.flipped, lower.flipped) }
    }

    /// Sorted and disjoint.
    private(set) var intervals: [Interval]

    private init(_ intervals: [Interval]) { self.intervals = intervals }

    static let nothing = ValueIntervals([])
    /// All values.
    static let everything = ValueIntervals([Interval(.before([]), .after([]))])

    static func points(_ values: [[UInt8]]) -> ValueIntervals {
        if values.count == 1 { return ValueIntervals([Interval(point: values[0])]) }
        return ValueIntervals(Set(values).sorted { $0.lexicographicallyPrecedes($1) }.map(Interval.init(point:)))
    }

    var isEmpty: Bool { intervals.isEmpty }

    /// Whether there are only single values, or none.
    var arePoints: Bool { intervals.allSatisfy { $0.point != nil } }

    /// The single values.
    var points: [[UInt8]] { intervals.compactMap(\.point) }

    func intersection(_ other: ValueIntervals) -> ValueIntervals {
        var result: [Interval] = []
        var (left, right) = (0, 0)
        while left < intervals.count, right < other.intervals.count {
            if let both = intervals[left].intersection(other.intervals[right]) { result.append(both) }
            if intervals[left].upper < other.intervals[right].upper { left += 1 } else { right += 1 }
        }
        return ValueIntervals(result)
    }

    /// The set without some single values.
    func removing(_ values: [[UInt8]]) -> ValueIntervals {
        let holes = Self.points(values).intervals
        var gaps: [Interval] = []
        var lower = KeyCut.before([])
        for hole in holes {
            if lower < hole.lower { gaps.append(Interval(lower, hole.lower)) }
            lower = hole.upper
        }
        gaps.append(Interval(lower, .after([])))
        return intersection(ValueIntervals(gaps))
    }

    func contains(_ encoded: some Collection<UInt8>) -> Bool {
        intervals.contains { interval in
            if let lower = interval.lower.bound, encoded.lexicographicallyPrecedes(lower) { return false }
            guard let upper = interval.upper.bound else { return true }
            return encoded.lexicographicallyPrecedes(upper)
        }
    }
}

// MARK: Conditions

extension ValueIntervals {
    /// The values that meet a comparison; for array operators the elements to look for.
    init(_ op: QueryFilter.FieldOperator, _ operand: ValueBytes) {
        defer { withExtendedLifetime(operand) {} }
        let value = operand.view
        switch op {
        case .equal: self = .points([IndexValueEncoding.encode(value)])
        case .in, .arrayContainsAny: self = .points(Self.elements(value).filter(Self.isMatchable).map(IndexValueEncoding.encode))
        case .arrayContains: self = .points([value].filter(Self.isMatchable).map(IndexValueEncoding.encode))
        case .notEqual: self = Self.present(except: [value])
        case .notIn:
            let values = Self.elements(value)
            self = values.contains(where: \.isNull) ? .nothing : Self.present(except: values)
        case .lessThan, .lessThanOrEqual, .greaterThanOrEqual, .greaterThan: self = Self.range(op, value)
        }
    }

    /// Within the operand's bracket. Null and NaN are never in a range and never its bound (decision 7).
    private static func range(_ op: QueryFilter.FieldOperator, _ value: ValueView) -> ValueIntervals {
        guard isMatchable(value) else { return .nothing }
        let kind = ValueOrdering.typeBracket(value)
        let encoded = IndexValueEncoding.encode(value)
        let bracket = [IndexValueEncoding.tag(kind)]
        let interval =
            switch op {
            case .lessThan: Interval(.before(bracket), .before(encoded))
            case .lessThanOrEqual: Interval(.before(bracket), .after(encoded))
            case .greaterThan: Interval(.after(encoded), .after(bracket))
            default: Interval(.before(encoded), .after(bracket))
            }
        let inside = ValueIntervals([interval])
        // NaN is the lowest number.
        return kind == .number && interval.lower.bytes.count == 1 ? inside.removing([notANumber]) : inside
    }

    private static let notANumber: [UInt8] = {
        let value = ValueBytes(.double(.nan))
        return withExtendedLifetime(value) { IndexValueEncoding.encode(value.view) }
    }()

    /// Every value that is neither null nor one of these (QR-7, QR-8).
    private static func present(except values: [ValueView]) -> ValueIntervals {
        everything.removing([[IndexValueEncoding.tag(.null)]] + values.map(IndexValueEncoding.encode))
    }

    private static func elements(_ value: ValueView) -> [ValueView] { value.elements.map { Array($0) } ?? [] }

    /// Null and NaN in a list match nothing (QR-10).
    private static func isMatchable(_ value: ValueView) -> Bool { !value.isNull && value.double?.isNaN != true }
}
