// SPDX-License-Identifier: Apache-2.0
import SwiftUI

/// Section "Using a custom encoder and decoder for mapping colors": a colour is a CSS hex string.
extension Color {
    init(hex: String) {
        let rgba = hex.toRGBA()

        self.init(
            .sRGB,
            red: Double(rgba.r),
            green: Double(rgba.g),
            blue: Double(rgba.b),
            opacity: Double(rgba.alpha))
    }

    /// `#rrggbb`, or `#rrggbbaa` when the colour is not opaque; nil outside sRGB, which CSS hex cannot express.
    var toHex: String? {
        guard colorSpace == .sRGB else { return nil }
        let components = opacity < 1 ? [red, green, blue, opacity] : [red, green, blue]
        return "#"
            + components.map { component in
                let byte = UInt8((min(max(component, 0), 1) * 255).rounded())
                return (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }.joined()
    }
}

extension Color: Codable {
    public init(from decoder: Decoder) throws {
        let container = try decoder.singleValueContainer()
        let hex = try container.decode(String.self)
        guard hex.hexDigits != nil else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "A colour is written #rgb, #rgba, #rrggbb or #rrggbbaa.")
        }

        self.init(hex: hex)
    }

    public func encode(to encoder: Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(toHex)
    }
}

extension String {
    /// The components of a CSS hex colour, each 0…1; transparent black if the string is not one.
    func toRGBA() -> (r: Double, g: Double, b: Double, alpha: Double) {
        guard let digits = hexDigits else { return (0, 0, 0, 0) }
        let bytes =
            digits.count <= 4
            ? digits.map { $0 * 17 }
            : stride(from: 0, to: digits.count, by: 2).map { digits[$0] * 16 + digits[$0 + 1] }
        let parts = bytes.map { Double($0) / 255 }
        return (parts[0], parts[1], parts[2], parts.count > 3 ? parts[3] : 1)
    }

    /// The digits after the `#`, or nil if this is not a CSS hex colour.
    fileprivate var hexDigits: [Int]? {
        guard first == "#", [3, 4, 6, 8].contains(utf8.count - 1) else { return nil }
        let digits = dropFirst().compactMap(\.hexDigitValue)
        return digits.count == utf8.count - 1 ? digits : nil
    }
}
