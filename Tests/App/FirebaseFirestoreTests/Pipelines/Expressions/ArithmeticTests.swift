// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Testing

/// Numbers: every overload, as an app calls it, and what it sends.
@Suite struct ArithmeticTests {
    @Test func `operations take values and expressions`() {
        check(Field("n").add(1), "add(n, 1)")
        check(Field("n").add(Field("m")), "add(n, m)")
        check(Field("n").subtract(2.5), "subtract(n, 2.5)")
        check(Field("n").subtract(Field("m")), "subtract(n, m)")
        check(Field("n").multiply(3), "multiply(n, 3)")
        check(Field("n").multiply(Field("m")), "multiply(n, m)")
        check(Field("n").divide(4), "divide(n, 4)")
        check(Field("n").divide(Field("m")), "divide(n, m)")
        check(Field("n").mod(5), "mod(n, 5)")
        check(Field("n").mod(Field("m")), "mod(n, m)")
        check(Field("n").pow(2), "pow(n, 2)")
        check(Field("n").pow(Field("m")), "pow(n, m)")
        check(Field("n").truncToPrecision(1), "trunc(n, 1)")
        check(Field("n").truncToPrecision(Field("m")), "trunc(n, m)")
    }

    @Test func `functions of one number`() {
        check(Field("n").abs(), "abs(n)")
        check(Field("n").ceil(), "ceil(n)")
        check(Field("n").floor(), "floor(n)")
        check(Field("n").round(), "round(n)")
        check(Field("n").trunc(), "trunc(n)")
        check(Field("n").sqrt(), "sqrt(n)")
        check(Field("n").exp(), "exp(n)")
        check(Field("n").ln(), "ln(n)")
    }

    @Test func `expressions continue each other`() {
        check(Field("net").multiply(1.19).round().subtract(Field("discount").ifNull(0)), "subtract(round(multiply(net, 1.19)), if_null(discount, 0))")
        let anything: any FirebaseFirestore.Expression = Constant(2)
        check(anything.pow(3).add(anything), "add(pow(2, 3), 2)")
    }
}
