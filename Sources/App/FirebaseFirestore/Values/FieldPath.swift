// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
public import Foundation

/// The path of a field: the names of nested maps, taken literally.
///
/// Use it for names that contain dots. A path without names, or with an empty name, makes every operation that uses it
/// fail with `invalidArgument`.
public final class FieldPath: NSObject, NSCopying, Sendable {
    package let segments: Result<FieldPathSegments, FirestoreError>

    /// Creates a path from names. Dots inside a name are part of the name.
    public convenience init(_ fieldNames: [String]) {
        self.init(Result { () throws(FirestoreError) in try PathCheck.fieldPath(segments: fieldNames) })
    }

    package init(_ segments: Result<FieldPathSegments, FirestoreError>) {
        self.segments = segments
        super.init()
    }

    /// A path in dotted notation.
    package convenience init(dotted: String) {
        self.init(Result { () throws(FirestoreError) in try PathCheck.fieldPath(dotted: dotted) })
    }

    /// The id of a document, in queries.
    public class func documentID() -> FieldPath { FieldPath(.success(.documentID)) }

    /// Equal when all names are, byte by byte.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? FieldPath else { return false }
        return self === other || segments.hasValue(of: other.segments)
    }

    /// Combines all names.
    public override var hash: Int { (try? segments.get())?.hashValue ?? 0 }

    /// The path in dotted notation, with names in back-ticks where needed.
    public override var description: String {
        switch segments {
        case .success(let path): path.canonical
        case .failure(let error): "invalid field path: \(error)"
        }
    }

    /// The object itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
