// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTransfer
import Foundation
import TestSupport

/// Stored documents, and the same after generated types have read and written them.
struct RoundTrip {
    /// Positions at which the data has both nulls and gaps: a note of the type says that one becomes the other.
    private var mixed: Set<String> = []
    let stored: [DocumentKey: FieldMap]
    let back: [DocumentKey: FieldMap]
    private(set) var differences: [String] = []

    /// Compares the collection `name` with `name-back` in a file of JSON lines.
    init(_ all: [DocumentKey: FieldMap], name: String, except unwritten: Set<String> = []) {
        func documents(_ collection: String) -> [DocumentKey: FieldMap] { all.filter { equalUTF8($0.key.collection.path, collection) } }
        stored = documents(name)
        back = Dictionary(uniqueKeysWithValues: documents(name + "-back").map { (DocumentKey(trusted: "\(name)/\($0.key.id)"), $0.value) })
        findMixed()
        for (key, fields) in stored where !unwritten.contains(key.path) {
            guard let written = back[key] else {
                differences.append("\(key) was not written")
                continue
            }
            compare(.map(fields), .map(written), "\(key)", "")
        }
        differences.sort()
    }

    static func read(_ file: String) throws -> [DocumentKey: FieldMap] {
        var input = JSONLinesInput(try InputFile(file), form: .documents, database: DatabaseID(projectID: DatabaseID.fallbackProject))
        var result: [DocumentKey: FieldMap] = [:]
        while let item = try input.next() {
            let document = try item.content.get()
            result[document.key] = try document.fields.map
        }
        return result
    }

    /// Dictionaries of the random documents have digits for names.
    private static func segment(_ name: String) -> String { name.allSatisfy(\.isNumber) ? "{}" : "/\(name)" }

    private mutating func findMixed() {
        var nulls: Set<String> = []
        var present: [String: Int] = [:]
        var parents: [String: Int] = [:]
        func walk(_ value: Value, _ path: String) {
            switch value {
            case .map(let map):
                parents[path, default: 0] += 1
                for (name, inner) in map.entries {
                    let place = path + Self.segment(name)
                    present[place, default: 0] += 1
                    if case .null = inner { nulls.insert(place) }
                    walk(inner, place)
                }
            case .array(let elements): for element in elements { walk(element, path + "[]") }
            default: break
            }
        }
        for fields in stored.values { walk(.map(fields), "") }
        mixed = nulls.filter { place in
            guard !place.hasSuffix("{}"), let slash = place.lastIndex(of: "/") else { return false }
            return present[place] != parents[String(place[..<slash])]
        }
    }

    private mutating func compare(_ stored: Value, _ back: Value, _ place: String, _ path: String) {
        switch (stored, back) {
        case (.map(let left), .map(let right)):
            for (name, value) in left.entries {
                let inner = path + Self.segment(name)
                if let other = right[name] {
                    compare(value, other, "\(place)/\(name)", inner)
                } else if case .null = value, mixed.contains(inner) {
                    continue
                } else {
                    differences.append("\(place)/\(name) is gone")
                }
            }
            for (name, value) in right.entries where left[name] == nil {
                if case .null = value, mixed.contains(path + Self.segment(name)) { continue }
                differences.append("\(place)/\(name) is new")
            }
        case (.array(let left), .array(let right)):
            if left.count != right.count { return differences.append("\(place) has \(right.count) elements, not \(left.count)") }
            for (index, pair) in zip(left, right).enumerated() { compare(pair.0, pair.1, "\(place)[\(index)]", path + "[]") }
        // Among doubles an integer is a double, with the digits that a double has.
        case (.integer(let left), .double(let right)): if Double(left) != right { differences.append("\(place): another number") }
        default: if ValueBytes(stored) != ValueBytes(back) { differences.append("\(place): \(stored) became \(back)") }
        }
    }
}
