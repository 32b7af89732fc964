// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A place that keeps objects: named sequences of bytes that are written once and never changed.
///
/// Names are made of segments separated by `/` (`ArchiveName`). Calls may run concurrently, from several processes and machines; of several
/// calls of `put` with one name exactly one stores its bytes.
///
/// Errors, for every conformer: `unavailable` and `deadlineExceeded` are transient, and the place has already been asked several times.
/// `resourceExhausted`: the place is full. `permissionDenied`, `unauthenticated`, `notFound` and `failedPrecondition` need an operator.
/// `dataLoss`: the object is there, and damaged. `invalidArgument`: the name is not one.
package protocol ArchiveStore: Sendable {
    /// The place, for messages. Contains no secrets.
    var description: String { get }

    /// Stores an object, unless one of this name exists, and returns whether it did. The object is durable when this returns.
    ///
    /// An object of this name with the bytes given may count as stored by this call: it cannot be distinguished from one whose
    /// acknowledgement was lost.
    func put(_ name: String, _ bytes: [UInt8]) async throws(FirestoreError) -> Bool

    /// The bytes of an object; nil if there is none of this name.
    func get(_ name: String) async throws(FirestoreError) -> [UInt8]?

    /// The objects whose names begin with a prefix, in the order of the UTF-8 bytes of their names.
    ///
    /// - Parameters:
    ///   - prefix: Any text, also one that ends within a segment. Empty for all objects.
    ///   - after: Only objects whose names follow this one, which need not exist.
    ///   - limit: The list ends after this many objects. A shorter list is complete.
    func list(_ prefix: String, after: String?, limit: Int) async throws(FirestoreError) -> [ArchiveObject]

    /// Removes an object. Does nothing if there is none of this name.
    func delete(_ name: String) async throws(FirestoreError)
}
