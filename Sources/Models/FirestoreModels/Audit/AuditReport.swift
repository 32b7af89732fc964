// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
public import Foundation

/// The differences between the documents of a query and a Swift type: values that do not decode, fields that the type does not know, and
/// values that reading and writing back would change.
///
/// Contains ids, paths and types, but no values of fields unless they were asked for. ``table`` is for people, ``json`` for
/// programs; the description of a report is its table.
///
/// Beyond the Apple SDK.
public struct AuditReport: Sendable {
    /// The kind of problem of a field.
    public enum Kind: String, Sendable, CaseIterable {
        /// The property is not optional, and documents lack the field.
        case missing
        /// The property is not optional, and the field is null.
        case null
        /// The field has a type that the property does not decode from.
        case mismatch
        /// The number does not fit the property's type.
        case range
        /// The type is right, and the value was rejected: an unknown case of an enum, an invalid URL, an error of `init(from:)`.
        case value
        /// The field is in documents, and the type never asks for it.
        case unknown
        /// The property is optional, and no document has the field.
        case neverPresent
        /// The property is optional, and every document has the field. For information; a report with nothing else is clean.
        case alwaysPresent
        /// Writing the decoded value back would store another value of the same meaning, such as a rounded number.
        case precision
        /// Writing the decoded value back would change the stored type, or add the field.
        case kind
        /// `setData(from:)` without `merge` would delete the field.
        case deletes
        /// Writing the decoded value back would store a new server timestamp.
        case restamped
        /// The decoded value cannot be encoded again.
        case unwritable
        /// The `CodingKeys` leave a `@DocumentID` out, and its default value hides the ids of the documents.
        case hiddenID
        /// The type tolerated something: a default was used, an element was left out, a case was unknown.
        case tolerated

        /// Whether documents with it do not decode.
        public var preventsDecoding: Bool {
            switch self {
            case .missing, .null, .mismatch, .range, .value: true
            default: false
            }
        }
    }

    /// One thing that holds for a number of documents.
    public struct Finding: Sendable, Hashable {
        /// The kind of problem.
        public let kind: Kind
        /// The field, `tags[].title` for fields of array elements and `names{}` for values of dictionaries; empty for the document.
        public let path: String
        /// The stored type, `missing` if there is no field.
        public let stored: String
        /// The type that the property has, or the type that would be stored; empty if there is none.
        public let expected: String
        /// The number of documents that have it.
        public let documentCount: Int
        /// In what part of the documents, from 0 to 1.
        public let share: Double
        /// The smallest ids of these documents; paths if the query is one of a collection group.
        public let examples: [String]
        /// Stored values of these documents, if they were asked for.
        public let values: [String]
    }

    /// A key that the type asks for.
    public struct Key: Sendable, Hashable {
        /// The field, as in findings.
        public let path: String
        /// The type of the property.
        public let expected: String
        /// Whether documents decode without it.
        public let isOptional: Bool
    }

    /// The name of the type.
    public let type: String
    /// The collection, the id of the group, or what else was asked.
    public let source: String
    /// The number of documents that were read.
    public let documentCount: Int
    /// How many of them decode.
    public let decodedCount: Int
    /// How many of those that do not decode could not be examined to the end, so that they may have further failures.
    public let cutShortCount: Int
    /// The findings, by kind and path.
    public let findings: [Finding]
    /// The keys that the type asked for; without documents, those it asks an empty decoder for. Only with checks beyond decoding.
    public let keys: [Key]
    /// The checks that the audit could not make.
    public let limits: [String]

    /// The number of documents that do not decode.
    public var failedCount: Int { documentCount - decodedCount }

    /// Whether nothing was found, apart from optional properties that are always present.
    public var isClean: Bool { failedCount == 0 && findings.allSatisfy { $0.kind == .alwaysPresent } }
}

extension AuditReport: CustomStringConvertible {
    /// The table.
    public var description: String { table }
}

extension AuditReport {
    /// The findings as a table, and one line that sums them up.
    public var table: String {
        let hasValues = findings.contains { !$0.values.isEmpty }
        var rows = [["kind", "path", "stored", "expected", "documents", "share", "examples"] + (hasValues ? ["values"] : [])]
        rows += findings.map { finding in
            [
                finding.kind.rawValue, finding.path.isEmpty ? "(document)" : finding.path, finding.stored, finding.expected,
                Self.grouped(finding.documentCount), Self.percent(finding.documentCount, of: documentCount),
                finding.examples.joined(separator: ", "),
            ] + (hasValues ? [finding.values.joined(separator: ", ")] : [])
        }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let fill = String(repeating: " ", count: widths[column] - cell.count)
                line += (column == 4 || column == 5 ? fill + cell : cell + fill) + "  "
            }
            while line.hasSuffix(" ") { line.removeLast() }
            return line
        }
        let notes = limits.map { "note: \($0)" }
        return ((findings.isEmpty ? [] : lines) + notes + [summary]).joined(separator: "\n")
    }

    /// `34,006 documents, 33,998 decode, 8 do not; 2 fields unknown`.
    public var summary: String {
        var text = "\(Self.grouped(documentCount)) document\(documentCount == 1 ? "" : "s"), "
        text += "\(Self.grouped(decodedCount)) decode, \(Self.grouped(failedCount)) do not"
        if cutShortCount > 0 { text += " (\(Self.grouped(cutShortCount)) not examined to the end)" }
        let unknown = Set(findings.filter { $0.kind == .unknown }.map(\.path)).count
        if unknown > 0 { text += "; \(Self.grouped(unknown)) field\(unknown == 1 ? "" : "s") unknown" }
        return text
    }

    /// The report as JSON, version 1: the same bytes for the same findings.
    public var json: Data { Data(tree.bytes(.indented) + [UInt8(ascii: "\n")]) }

    private var tree: JSON {
        .object([
            ("version", .number(1)), ("type", .string(type)), ("source", .string(source)), ("documents", .number(documentCount)),
            ("decode", .number(decodedCount)), ("fail", .number(failedCount)),
            ("cutShort", .number(cutShortCount)), ("clean", .boolean(isClean)),
            ("findings", .array(findings.map(Self.tree))),
            (
                "keys",
                .array(
                    keys.map {
                        .object([("path", .string($0.path)), ("expected", .string($0.expected)), ("optional", .boolean($0.isOptional))])
                    })
            ),
            ("limits", .array(limits.map { .string($0) })),
        ])
    }

    private static func tree(_ finding: Finding) -> JSON {
        let values: [(name: String, value: JSON)] =
            finding.values.isEmpty ? [] : [("values", .array(finding.values.map { .string($0) }))]
        return .object(
            [
                ("kind", .string(finding.kind.rawValue)), ("path", .string(finding.path)), ("stored", .string(finding.stored)),
                ("expected", .string(finding.expected)), ("documents", .number(finding.documentCount)),
                ("share", .number("\(finding.share)")), ("examples", .array(finding.examples.map { .string($0) })),
            ] + values)
    }

    private static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "" }
        let hundredths = part * 10_000 / whole
        if hundredths == 0 { return "<0.01 %" }
        let fraction = hundredths % 100
        return fraction == 0 ? "\(hundredths / 100) %" : "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) %"
    }

    private static func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in String(number).reversed().enumerated() {
            if index > 0, index % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
