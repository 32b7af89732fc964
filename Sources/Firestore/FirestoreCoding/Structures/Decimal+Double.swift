// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The one conversion between decimals and doubles: by the shortest text, both ways.
///
/// Foundation computes with powers of ten in floating point, so that its double of 0.07 is 0.06999999999999999, and its decimal of the
/// double 0.1 may have twenty digits. By text a decimal of up to 15 digits survives the way there and back.
extension Decimal {
    /// The double nearest to the decimal.
    package var nearestDouble: Double {
        if isNaN { return .nan }
        return Double(description) ?? NSDecimalNumber(decimal: self).doubleValue
    }

    /// The decimal with the fewest digits whose nearest double this is; what Foundation makes of a double that no decimal is near to.
    package init(shortest double: Double) {
        let decimal = double.isFinite ? Decimal(string: "\(double)", locale: Locale(identifier: "en_US_POSIX")) : nil
        // A decimal has no infinity, and Foundation ends the process for one.
        self = decimal ?? (double.isInfinite ? .nan : Decimal(double))
    }
}
