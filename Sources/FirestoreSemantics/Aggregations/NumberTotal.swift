import FirestoreCore

/// The numbers met in one field: what `sum` and `average` say of them (QR-65, QR-66).
struct NumberTotal {
    private var count = 0
    private var integers = WideInteger()
    /// There as soon as a double was met.
    private var doubles: ExactSum?
    /// The sum of what is not finite, if anything was.
    private var nonFinite: Double?

    /// Whatever is no number is skipped.
    mutating func add(_ value: ValueView) {
        if let integer = value.integer {
            integers.add(integer)
        } else if let double = value.double {
            if doubles == nil { doubles = ExactSum() }
            if double.isFinite {
                doubles?.add(double)
            } else {
                // Infinity and minus infinity make NaN, and NaN stays.
                nonFinite = nonFinite.map { $0 + double } ?? double
            }
        } else {
            return
        }
        count += 1
    }

    /// An integer if all numbers are and the true total is one, else a double; integer 0 without numbers.
    var sum: Value {
        if doubles == nil, let exact = integers.exact { return .integer(exact) }
        return .double(total)
    }

    /// A double; null without numbers.
    var average: Value { count == 0 ? .null : .double(total / Double(count)) }

    private var total: Double {
        if let nonFinite { return nonFinite }
        var sum = doubles ?? ExactSum()
        sum.add(integers)
        return sum.rounded
    }
}
