// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Writes text files into a Swift file, each as one raw string literal: the compiler takes minutes for an array of bytes.
///
///     FileEmbedder OUTPUT FOLDER FILE…
///
/// The paths of the files are stored relative to the folder.
@main
enum FileEmbedder {
    struct Unsuitable: Error, CustomStringConvertible {
        let description: String
    }

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count >= 2 else { throw Unsuitable(description: "usage: FileEmbedder OUTPUT FOLDER FILE…") }
        let (output, folder) = (arguments[1], arguments[2] + "/")
        let elements = try arguments.dropFirst(2).map { try element(of: $0, in: folder) }
        let text = "let embeddedFiles: [EmbeddedFile] = [\n\(elements.joined())]\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: output))
    }

    private static func element(of file: String, in folder: String) throws -> String {
        guard file.hasPrefix(folder) else { throw Unsuitable(description: "\(file) is not below \(folder)") }
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        guard let text = String(validating: data, as: UTF8.self), !data.contains(0), !data.contains(UInt8(ascii: "\r")) else {
            throw Unsuitable(description: "\(file): only UTF-8 without NUL and carriage returns survives in a Swift literal")
        }
        return "    EmbeddedFile(path: \"\(file.dropFirst(folder.count))\", text: \(literal(text))),\n"
    }

    /// The text as a raw literal that is the text and nothing else.
    private static func literal(_ text: String) -> String {
        var marks = "#"
        while text.contains("\"\"\"" + marks) || text.contains("\\" + marks) { marks += "#" }
        return "\(marks)\"\"\"\n\(text)\n\"\"\"\(marks)"
    }
}
