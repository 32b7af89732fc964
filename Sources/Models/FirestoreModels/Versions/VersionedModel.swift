// SPDX-License-Identifier: Apache-2.0

/// A model whose documents say which version they have, and that reads older ones by migrating them.
///
/// ```swift
/// extension City: VersionedModel {
///     static let schemaVersion = 2
///     static let migrations: [ModelMigration] = [
///         .step(from: 0) { $0.rename("pop", to: "population") },
///         .step(from: 1) { $0.setDefault("tags", to: []) },
///     ]
/// }
/// ```
/// A document without the version field has version 0. Reading migrates in memory and writes nothing; typed writes store the current
/// version. Queries see the stored data: a condition on a renamed field finds migrated documents only, until
/// `query.migrate(as:options:)` or `hearth migrate` has rewritten the others.
///
/// Beyond the Apple SDK.
public protocol VersionedModel: SendableMetatype {
    /// The version that this program writes; 1 or more.
    static var schemaVersion: Int { get }
    /// The steps from version 0 to ``schemaVersion``, one from each version to the next, in order.
    static var migrations: [ModelMigration] { get }
    /// The name of the field with the version: `schemaVersion` unless you choose otherwise.
    static var versionField: String { get }
    /// Whether documents of versions that this program does not know are decoded all the same; false unless you choose otherwise.
    ///
    /// Safe if newer versions only add fields. An older program that writes such a document with `setData(from:)` loses fields
    /// that it does not know.
    static var acceptsNewerVersions: Bool { get }
}

extension VersionedModel {
    /// `schemaVersion`
    public static var versionField: String { "schemaVersion" }
    /// false
    public static var acceptsNewerVersions: Bool { false }

    /// Checks that the steps lead from version 0 to the current one without a gap. Call it in a test.
    ///
    /// Throws ``FirestoreModelError/invalidMigrations(model:reason:)``.
    public static func verifyMigrations() throws { _ = try VersionSteps(Self.self) }
}

/// A problem with the versions of a model or a document.
///
/// Beyond the Apple SDK.
public enum FirestoreModelError: Error, Sendable {
    /// The document was written by a newer program: this one would lose fields that it does not know.
    case newerVersion(document: String?, found: Int, known: Int)
    /// The version field of the document is not an integer of 0 or more.
    case invalidVersion(document: String?, field: String)
    /// A step could not be made; `underlying` says why.
    case migrationFailed(document: String?, from: Int, underlying: any Error)
    /// The steps of the model do not lead from version 0 to the current one.
    case invalidMigrations(model: String, reason: String)
}

extension FirestoreModelError: CustomStringConvertible {
    /// The problem, its location, and its remedy.
    public var description: String {
        switch self {
        case .newerVersion(let document, let found, let known):
            "\(Self.subject(document)) has version \(found), and this program knows versions up to \(known); update the program"
        case .invalidVersion(let document, let field):
            "\(Self.subject(document)): the field \(field) does not hold a version, an integer of 0 or more"
        case .migrationFailed(let document, let from, let underlying):
            "\(Self.subject(document)): the migration from version \(from) to \(from + 1) failed: \(underlying)"
        case .invalidMigrations(let model, let reason): "the migrations of \(model) are not complete: \(reason)"
        }
    }

    private static func subject(_ document: String?) -> String { document.map { "the document \($0)" } ?? "the data" }
}
