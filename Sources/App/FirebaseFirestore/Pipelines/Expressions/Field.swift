// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// A field of the rows of a pipeline, as an expression.
///
/// ```swift
/// pipeline.where(Field("kilometers").lessThan(10)).select([Field("name"), Field("address.city")])
/// ```
/// A field that a row does not have is absent, which is different from null. As a selection it keeps its name.
public struct Field: Expression, Selectable {
    /// The path, with names in back-ticks where needed. For a malformed path the text that was given.
    public let fieldName: String
    let path: Result<FieldPathSegments, FirestoreError>

    /// A field given in dotted notation. A name in back-ticks may contain dots.
    ///
    /// A malformed path makes the execution of the pipeline fail with `invalidArgument`.
    public init(_ name: String) {
        self.init(
            Result { () throws(FirestoreError) in
                try name.utf8.contains(UInt8(ascii: "`")) ? PathCheck.fieldPath(lenient: name) : PathCheck.fieldPath(dotted: name)
            }, written: name)
    }

    /// A field given by its path. `FieldPath.documentID()` is the reference of the document.
    public init(_ path: FieldPath) { self.init(path.segments, written: path.description) }

    private init(_ path: Result<FieldPathSegments, FirestoreError>, written: String) {
        self.path = path
        fieldName = (try? path.get())?.canonical ?? written
    }

    /// The distance to a point, in meters.
    public func geoDistance(_ location: GeoPoint) -> any Expression { call("geo_distance", location) }
}

extension Field: ContentExpression {
    var content: ExpressionContent {
        switch path {
        case .success(let path): ExpressionContent(.field(path))
        case .failure(let error): ExpressionContent(error)
        }
    }
}

extension Field: AliasedContent {
    var alias: String { fieldName }
}
