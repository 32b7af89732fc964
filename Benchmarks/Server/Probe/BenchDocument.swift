// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore

/// What the driver fills its collection with: `D1` of the workloads, about 1 KB.
struct BenchDocument: Codable {
    var f0, f1, f2, f3, f4, f5, f6, f7, f8, f9: String
    var grp: Int
    var n: Int
    var flag: Bool

    init(_ number: Int) {
        func text(_ column: Int) -> String {
            let text = "value-\(number)-\(column)-"
            return text + String(repeating: "x", count: 90 - text.utf8.count)
        }
        (f0, f1, f2, f3, f4) = (text(0), text(1), text(2), text(3), text(4))
        (f5, f6, f7, f8, f9) = (text(5), text(6), text(7), text(8), text(9))
        (grp, n, flag) = (number % 100, number, number % 2 == 0)
    }

    /// `doc0000007`
    static func id(_ number: Int) -> String {
        let digits = String(number)
        return "doc" + String(repeating: "0", count: 7 - digits.count) + digits
    }
}
