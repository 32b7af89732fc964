// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Testing

/// Compares the generated part of a page, behind the line `begin`, with what the code says; with `HEARTH_WRITE_MODES=1` (`make pages`)
/// writes it.
package func expectGenerated(
    _ page: String, after begin: String, _ generated: String, location: SourceLocation = #_sourceLocation
) throws {
    let file = repositoryRoot.appendingPathComponent(page)
    let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: begin)
    try #require(parts.count == 2, "\(page) has no line \(begin)", sourceLocation: location)
    if ProcessInfo.processInfo.environment["HEARTH_WRITE_MODES"] == "1" {
        try Data((parts[0] + begin + generated).utf8).write(to: file)
        print("\(page) is written")
    } else {
        #expect(parts[1] == generated, "\(page) is not what the code says: make pages", sourceLocation: location)
    }
}
