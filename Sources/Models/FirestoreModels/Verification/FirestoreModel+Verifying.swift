// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore

extension FirestoreModel {
    /// Compares the table of fields with what the type decodes, for tests of tables that were written by hand.
    ///
    /// ```swift
    /// @Test func `the tables fit`() throws { try City.verifyFields() }
    /// ```
    /// The type is decoded from a document that has every field, so that it says which keys and types it asks for. Nothing is read
    /// from a database. `expectFields` of `FirestoreTesting` does the same with stand-ins for references.
    ///
    /// - Parameter standIns: Values for required properties of types that cannot be made up: references, and types that check what
    ///   they decode and reject zeros, small numbers, and common strings such as dates and addresses.
    /// - Throws: ``FieldTableError``, which lists fields that are missing, that the type does not decode, or that have another
    ///   type or kind. If a stand-in is missing, it says so, and lists each field after it as not verified.
    public static func verifyFields(standIns: [any Decodable] = []) throws {
        let findings = FieldTable(Self.self).findings(against: FieldProbe(Self.self, standIns: standIns))
        if !findings.isEmpty { throw FieldTableError(model: "\(Self.self)", findings: findings) }
    }
}

/// The differences that ``FirestoreModel/verifyFields(standIns:)`` found.
///
/// Beyond the Apple SDK.
public struct FieldTableError: Error, Hashable, CustomStringConvertible {
    /// The name of the type.
    public let model: String
    /// One sentence for each field, in the order of the type's properties.
    public let findings: [String]

    /// The findings, one in each line.
    public var description: String {
        (["the table of fields of \(model) does not fit what the type decodes:"] + findings.map { "- \($0)" }).joined(separator: "\n")
    }
}
