// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Features of the offline engine can be deleted alone: nothing but one list knows them (decision 48).
struct FeatureTests {
    private static let module = "Sources/Client/FirestoreSync/"
    private static let list = module + "Features/SyncFeatures.swift"

    private static let files = Repository.swiftFiles.filter { $0.path.hasPrefix(module) && $0.path != list }

    /// The folders of features, by the name of each.
    private static let folders = Set(
        files.compactMap { file -> String? in
            let parts = file.path.dropFirst(module.count).split(separator: "/")
            return parts.count == 3 && parts[0] == "Features" ? String(parts[1]) : nil
        })

    /// The types that a file declares, and the words of its code.
    private func names(in file: Repository.File) throws -> (types: Set<String>, words: Set<String>) {
        let code = try file.lines.map { $0.components(separatedBy: "//")[0] }
        var types: Set<String> = []
        for line in code where !line.hasPrefix(" ") {
            let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
            guard let kind = words.firstIndex(where: ["struct", "class", "enum", "protocol", "typealias"].contains) else { continue }
            if kind + 1 < words.count { types.insert(words[kind + 1]) }
        }
        return (types, Set(code.joined(separator: "\n").split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)))
    }

    @Test func `no file outside of a feature's folder names a type of the feature`() throws {
        let named = try Self.files.map { ($0, try names(in: $0)) }
        #expect(Self.folders.count > 5)
        for folder in Self.folders {
            let prefix = Self.module + "Features/\(folder)/"
            let types = named.filter { $0.0.path.hasPrefix(prefix) }.reduce(into: Set<String>()) { $0.formUnion($1.1.types) }
            #expect(!types.isEmpty, "\(folder) has no types")
            for (file, names) in named where !file.path.hasPrefix(prefix) {
                let known = names.words.intersection(types)
                #expect(known.isEmpty, "\(file) names \(known.sorted()) of the feature \(folder)")
            }
        }
    }

    @Test func `the list has one feature of each folder`() throws {
        let list = try Repository.text(of: Self.list)
        let listed = list.split(separator: "\n").filter { $0.hasSuffix(".self,") }.map { $0.filter { $0 != " " }.dropLast(6) }
        #expect(listed.count == Self.folders.count && !listed.isEmpty)
        for feature in listed {
            let isDeclared = try Self.files.contains { try $0.text.contains("final class \(feature): SyncFeature {") }
            #expect(isDeclared, "\(feature) is not declared in a folder of a feature")
        }
    }
}
