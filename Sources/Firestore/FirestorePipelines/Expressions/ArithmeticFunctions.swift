// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Functions of numbers. With a double among the arguments all of them are doubles; integers that overflow are a failure.
enum ArithmeticFunctions {
    /// The only function that depends on chance.
    static let rand = "rand"

    static let all: [FunctionDefinition] = [
        combination("add", { $0.addingReportingOverflow($1) }, +),
        combination("subtract", { $0.subtractingReportingOverflow($1) }, -),
        combination("multiply", { $0.multipliedReportingOverflow(by: $1) }, *),
        division("divide", { $0.dividedReportingOverflow(by: $1) }, /),
        division("mod", { $0.remainderReportingOverflow(dividingBy: $1) }, { $0.truncatingRemainder(dividingBy: $1) }),
        .one("abs", .number) { value, _ in
            change(value, integers: { Int64(exactly: $0.magnitude) }, doubles: { $0.magnitude }, name: "abs")
        },
        .one("ceil", .number) { value, _ in change(value, integers: { $0 }, doubles: { $0.rounded(.up) }, name: "ceil") },
        .one("floor", .number) { value, _ in change(value, integers: { $0 }, doubles: { $0.rounded(.down) }, name: "floor") },
        .values("round", .number, .integer, arity: 1...2) { arguments, _ in round(arguments, .toNearestOrAwayFromZero, name: "round") },
        .values("trunc", .number, .integer, arity: 1...2) { arguments, _ in round(arguments, .towardZero, name: "trunc") },
        .two("pow", .number, .number) { base, exponent, _ in power(base.double, exponent.double) },
        .one("sqrt", .number) { value, _ in
            let number = value.double
            return number < 0 ? .fail("sqrt takes no negative number") : .double(number.squareRoot())
        },
        .one("exp", .number) { value, _ in
            let result = exp(value.double)
            return result.isInfinite && value.double.isFinite ? .fail("the result of exp overflows a double") : .double(result)
        },
        .one("ln", .number) { value, _ in logarithm(value.double, name: "ln", log) },
        .one("log10", .number) { value, _ in logarithm(value.double, name: "log10", log10) },
        .values("log", .number, .number, arity: 1...2) { arguments, _ in
            arguments.count == 1
                ? logarithm(arguments[0].double, name: "log", log) : logarithm(arguments[0].double, base: arguments[1].double)
        },
        .one("sum", .array, sum),
        .values(rand, arity: 0...0, isPure: false) { _, execution in .double(Double.random(in: 0..<1, using: &execution.random)) },
    ]

    // MARK: Two numbers

    private static func combination(
        _ name: String, _ integers: @escaping @Sendable (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
        _ doubles: @escaping @Sendable (Double, Double) -> Double
    ) -> FunctionDefinition {
        .fold(name, .number) { left, right in
            guard case .integer(let first)? = left.number, case .integer(let second)? = right.number else {
                return .double(doubles(left.double, right.double))
            }
            let (result, overflow) = integers(first, second)
            return overflow ? overflowFailure(name) : .integer(result)
        }
    }

    private static func division(
        _ name: String, _ integers: @escaping @Sendable (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
        _ doubles: @escaping @Sendable (Double, Double) -> Double
    ) -> FunctionDefinition {
        .two(name, .number, .number) { left, right, _ in
            guard case .integer(let first)? = left.number, case .integer(let second)? = right.number else {
                return .double(doubles(left.double, right.double))
            }
            if second == 0 { return .fail("\(name) by the integer zero") }
            let (result, overflow) = integers(first, second)
            return overflow ? overflowFailure(name) : .integer(result)
        }
    }

    private static func overflowFailure(_ name: String) -> EvaluatedValue { .fail("the result of \(name) does not fit a 64-bit integer") }

    // MARK: One number

    /// A number of the type of `value`.
    private static func change(
        _ value: EvaluatedValue, integers: (Int64) -> Int64?, doubles: (Double) -> Double, name: String
    ) -> EvaluatedValue {
        guard case .integer(let integer)? = value.number else { return .double(doubles(value.double)) }
        return integers(integer).map { .integer($0) } ?? overflowFailure(name)
    }

    private static func round(_ arguments: [EvaluatedValue], _ rule: FloatingPointRoundingRule, name: String) -> EvaluatedValue {
        let places = arguments.count == 1 ? 0 : Int((arguments[1].integer ?? 0).clamped(to: -400...400))
        return change(
            arguments[0], integers: { $0.rounded(to: places, rule) },
            doubles: { places == 0 || !$0.isFinite ? $0.rounded(rule) : DecimalDigits($0).rounded(to: places, rule).double }, name: name)
    }

    /// The sum of the numbers among the elements; `null` without any. It is a double from the first double on.
    private static func sum(_ array: EvaluatedValue, _ execution: Execution) throws(FirestoreError) -> EvaluatedValue {
        var total: PipelineNumber?
        for view in array.elements ?? ArrayView(UnsafeRawBufferPointer(start: nil, count: 0)) {
            try execution.step()
            guard let number = array.part(view).number else { continue }
            guard let sum = total else {
                total = number
                continue
            }
            if case .integer(let left) = sum, case .integer(let right) = number {
                let (result, overflow) = left.addingReportingOverflow(right)
                if overflow { return overflowFailure("sum") }
                total = .integer(result)
            } else {
                total = .double(sum.asDouble + number.asDouble)
            }
        }
        return total.map { .number($0) } ?? .null
    }

    // MARK: Powers

    private static func power(_ base: Double, _ exponent: Double) -> EvaluatedValue {
        if base == 0, exponent < 0 { return .fail("pow takes no negative exponent of zero") }
        if base < 0, base.isFinite, exponent.isFinite, exponent != exponent.rounded() {
            return .fail("pow takes only whole exponents of a negative number")
        }
        return .double(pow(base, exponent))
    }

    private static func logarithm(_ number: Double, name: String, _ function: (Double) -> Double) -> EvaluatedValue {
        if number == -.infinity { return .double(.nan) }
        return number <= 0 ? .fail("\(name) takes only positive numbers") : .double(function(number))
    }

    private static func logarithm(_ number: Double, base: Double) -> EvaluatedValue {
        if number.isNaN || base.isNaN { return .double(.nan) }
        guard base > 0, base != 1 else { return .fail("log takes only positive bases other than 1") }
        if base == .infinity { return .double(.nan) }
        return logarithm(number, name: "log") { number in
            // The quotient of logarithms rounds twice: log(1000, 10) would not be 3.
            base == 10 ? log10(number) : base == 2 ? log2(number) : log(number) / log(base)
        }
    }
}

extension EvaluatedValue {
    /// A number as a double; NaN for damaged bytes.
    fileprivate var double: Double { number?.asDouble ?? .nan }
}

extension Int64 {
    /// Rounds to so many decimal places, negative ones left of the point; nil if the result does not fit.
    fileprivate func rounded(to places: Int, _ rule: FloatingPointRoundingRule) -> Int64? {
        guard places < 0 else { return self }
        // No integer reaches the half of 10^20.
        guard places > -20 else { return 0 }
        let unit = (0..<(-places)).reduce(UInt64(1)) { power, _ in power * 10 }
        let rest = magnitude % unit
        var (result, overflow) = (magnitude - rest, false)
        if rule != .towardZero, rest >= unit - rest { (result, overflow) = result.addingReportingOverflow(unit) }
        if overflow { return nil }
        if self >= 0 { return Int64(exactly: result) }
        return result == Int64.min.magnitude ? .min : Int64(exactly: result).map { -$0 }
    }

    fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 { Swift.min(Swift.max(self, range.lowerBound), range.upperBound) }
}
