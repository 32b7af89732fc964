// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import FirestoreRPC

struct RPCLimitsTests {
    @Test func `the table of decision 62 has the limits in effect`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../..").standardized
        let page = try String(contentsOf: root.appendingPathComponent("docs/decisions/0062-frames-of-http2-are-ours.md"), encoding: .utf8)
        let lines = page.split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("| Limit | Library's default |") })
        let table = lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map(String.init)
        #expect(table == RPCLimitRow.rows().map(\.markdown))
    }
}
