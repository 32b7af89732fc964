import Foundation

/// Something to be answered with yes or no, on the terminal.
enum Question {
    /// Nothing said is no.
    static func ask(_ text: String) -> Bool {
        FileHandle.standardError.write(Data("\(text) [y/N] ".utf8))
        let answer = readLine() ?? ""
        return ["y", "yes"].contains(answer.lowercased())
    }
}
