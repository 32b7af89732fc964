// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A question on the terminal, answered with yes or no.
enum Question {
    /// An empty answer means no.
    static func ask(_ text: String) -> Bool {
        StandardError.write("\(text) [y/N] ")
        let answer = readLine() ?? ""
        return ["y", "yes"].contains(answer.lowercased())
    }
}
