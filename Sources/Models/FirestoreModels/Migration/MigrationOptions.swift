// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore
import Foundation
import FirestoreSchema

/// How a collection is migrated.
///
/// Beyond the Apple SDK.
public struct MigrationOptions: Sendable {
    /// Writes nothing, and reports what would be written. False by default.
    public var isDryRun = false
    /// Where to note how far the migration has come, after each commit; nil, the default, for nowhere.
    ///
    /// It is removed when the migration has ended.
    public var checkpoint: MigrationCheckpointPlace?
    /// Continues where the checkpoint says, or from the start without one. Otherwise an existing checkpoint is an error.
    public var resumes = false
    /// The most writes in a second; nil, the default, for as many as possible.
    ///
    /// Google's service advises 500 in the first five minutes, and half as many more every five minutes.
    public var writesPerSecond: Double?
    /// Called on any thread, after each page.
    public var onProgress: (@Sendable (MigrationProgress) -> Void)?

    /// The default options.
    public init() {}

    /// Options, as given.
    public init(
        isDryRun: Bool = false, checkpoint: MigrationCheckpointPlace? = nil, resumes: Bool = false, writesPerSecond: Double? = nil,
        onProgress: (@Sendable (MigrationProgress) -> Void)? = nil
    ) {
        self.isDryRun = isDryRun
        self.checkpoint = checkpoint
        self.resumes = resumes
        self.writesPerSecond = writesPerSecond
        self.onProgress = onProgress
    }
}

/// Where a migration notes how far it has come.
///
/// Beyond the Apple SDK.
public enum MigrationCheckpointPlace: Sendable {
    /// A file on this machine.
    case file(URL)
    /// A document, best in a separate collection: others then can continue the migration.
    case document(DocumentReference)
}

/// How far a migration has come.
///
/// Beyond the Apple SDK.
public struct MigrationProgress: Sendable, Hashable {
    /// The number of documents that were read.
    public let documentCount: Int
    /// The number of documents that were rewritten.
    public let migratedCount: Int
    /// 1, then 2 for the search for documents that were written meanwhile, and so on.
    public let pass: Int
}

/// The result of a migration, or in a dry run the result that it would have.
///
/// Beyond the Apple SDK.
public struct MigrationReport: Sendable {
    /// A document that could not be migrated, and is unchanged.
    public struct Failure: Sendable {
        /// The document.
        public let reference: DocumentReference
        /// ``FirestoreModelError``, an error of the database, or, in a dry run, what decoding the new form would throw.
        public let error: any Error
    }

    /// A step, and how many documents it changed.
    public struct Step: Sendable, Hashable {
        /// `version 0 to 1`, for example.
        public let name: String
        /// The number of documents.
        public let documentCount: Int
    }

    /// A document of a dry run, before and after.
    public struct Example: Sendable {
        /// The document.
        public let reference: DocumentReference
        /// Its fields as they are stored.
        public let before: FirestoreFields
        /// Its fields as they would be.
        public let after: FirestoreFields
    }

    /// The number of documents that were read.
    public let documentCount: Int
    /// The number of documents that were rewritten.
    public let migratedCount: Int
    /// The steps, in order.
    public let steps: [Step]
    /// The number of documents that had changed between reading and writing, and were read again.
    public let conflictCount: Int
    /// The documents that could not be migrated, the first 1,000 of them.
    public let failures: [Failure]
    /// The number of documents that could not be migrated.
    public let failureCount: Int
    /// In a dry run: documents whose new form does not decode, the first 1,000 of them.
    public let undecodable: [Failure]
    /// In a dry run: up to five documents.
    public let examples: [Example]
}
