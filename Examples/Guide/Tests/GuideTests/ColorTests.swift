// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwiftUI
import Testing

@testable import Guide

struct ColorTests {
    @Test(arguments: [
        ("#000000", Color.black), ("#ffffff", .white), ("#fff", .white), ("#00000000", .clear),
        ("#FF8800", Color(red: 1, green: 136.0 / 255, blue: 0)),
        ("#0080ff40", Color(red: 0, green: 128.0 / 255, blue: 1, opacity: 64.0 / 255)),
        ("#08f4", Color(red: 0, green: 136.0 / 255, blue: 1, opacity: 68.0 / 255)),
    ])
    func `CSS hex reads as a colour`(hex: String, expected: Color) throws {
        #expect(try JSONDecoder().decode(Color.self, from: Data("\"\(hex)\"".utf8)) == expected)
    }

    @Test(arguments: ["", "#", "ff8800", "#ff88", "#ff880", "#gg0000", "#ff8800ff00", "#ff88é0"])
    func `anything else is rejected, or is a short form`(hex: String) {
        let isShortForm = hex == "#ff88"
        let color = try? JSONDecoder().decode(Color.self, from: Data("\"\(hex)\"".utf8))
        #expect((color != nil) == isShortForm)
    }

    @Test func `every byte survives the round trip`() throws {
        for byte in 0...255 {
            let color = Color(red: Double(byte) / 255, green: 0, blue: 1, opacity: Double(255 - byte) / 255)
            #expect(try JSONDecoder().decode(Color.self, from: JSONEncoder().encode(color)) == color)
        }
    }

    @Test func `a colour outside sRGB encodes as null`() throws {
        let color = Color(.displayP3, red: 1, green: 0, blue: 0)
        #expect(try JSONEncoder().encode([color]) == Data("[null]".utf8))
    }
}
