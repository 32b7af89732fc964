// SPDX-License-Identifier: Apache-2.0
/// Why a server does not start, or a file that it reads again is rejected: one line for each problem.
package struct StartRefusal: Error, Equatable, CustomStringConvertible {
    package var lines: [String]

    package init(lines: [String]) { self.lines = lines }

    package init(_ line: String) { lines = [line] }

    package var description: String { lines.joined(separator: "\n") }
}
