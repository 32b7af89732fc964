// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A module of the guide's page: the Swift code of its sections and the documents that they begin with. Both stand in
/// `Examples/Guide`, to which `Console/guide` has links.
enum GuideSources {
    static let path = "guide/sources.js"
    static let samples = "guide/samples.json"
    private static let code = "guide/code"

    /// nil for a folder without a guide.
    static func text(from folder: PageFolder) -> String? {
        guard let samples = folder.bytes(of: samples) else { return nil }
        let files = folder.names(in: code).compactMap { name in
            folder.bytes(of: code + "/" + name).map { (name: name, value: JSON.string(withoutLicense($0))) }
        }
        return "export const code = \(JSON.object(files).text());\nexport const samples = \(String(decoding: samples, as: UTF8.self));\n"
    }

    private static func withoutLicense(_ file: [UInt8]) -> String {
        String(decoding: file.drop { $0 != UInt8(ascii: "\n") }.dropFirst(), as: UTF8.self)
    }
}
