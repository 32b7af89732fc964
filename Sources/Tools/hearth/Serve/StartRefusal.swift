// SPDX-License-Identifier: Apache-2.0
/// Why a server does not start, or a file that it reads again is refused: one line for each problem.
struct StartRefusal: Error, Equatable {
    var lines: [String]

    init(lines: [String]) { self.lines = lines }

    init(_ line: String) { lines = [line] }
}
