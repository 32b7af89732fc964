// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Fifty fields: fifteen strings, fifteen integers, ten doubles, five booleans, three optionals, two dates.
struct Wide50: Codable {
    var s0: String = "string value number 0"
    var s1: String = "string value number 1"
    var s2: String = "string value number 2"
    var s3: String = "string value number 3"
    var s4: String = "string value number 4"
    var s5: String = "string value number 5"
    var s6: String = "string value number 6"
    var s7: String = "string value number 7"
    var s8: String = "string value number 8"
    var s9: String = "string value number 9"
    var s10: String = "string value number 10"
    var s11: String = "string value number 11"
    var s12: String = "string value number 12"
    var s13: String = "string value number 13"
    var s14: String = "string value number 14"
    var i0: Int = 0
    var i1: Int = 71428571
    var i2: Int = 142857142
    var i3: Int = 214285714
    var i4: Int = 285714285
    var i5: Int = 357142856
    var i6: Int = 428571428
    var i7: Int = -5
    var i8: Int = 571428570
    var i9: Int = 642857142
    var i10: Int = 714285713
    var i11: Int = 785714284
    var i12: Int = 857142856
    var i13: Int = 928571427
    var i14: Int = 999999999
    var d0: Double = 0.25
    var d1: Double = 1.25
    var d2: Double = 2.25
    var d3: Double = 3.25
    var d4: Double = 4.25
    var d5: Double = 5.25
    var d6: Double = 6.25
    var d7: Double = 7.25
    var d8: Double = 8.25
    var d9: Double = 9.25
    var b0: Bool = false
    var b1: Bool = true
    var b2: Bool = false
    var b3: Bool = true
    var b4: Bool = false
    var o0: String? = "optional 0"
    var o1: String? = nil
    var o2: String? = "optional 2"
    var t0: Date = Date(timeIntervalSince1970: 1_700_000_000)
    var t1: Date = Date(timeIntervalSince1970: 1_700_000_001)

    static let sample = Wide50()
}
