// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// A value that Firestore cannot store, and what to store instead.
enum UnstorableValue {
    static func error(_ any: Any) -> FirestoreError {
        if any is any Expression || any is Pipeline {
            return .invalidArgument("an expression of a pipeline cannot be stored; store the value itself")
        }
        return .invalidArgument("values of type \(type(of: any)) cannot be stored; \(remedy(any))")
    }

    private static func remedy(_ any: Any) -> String {
        switch any {
        case is URL, is NSURL: return "store the URL's absoluteString"
        case is UUID, is NSUUID: return "store the UUID's uuidString"
        case is Character: return "store a String made of it"
        case is CollectionReference: return "store the collection's path, or a DocumentReference"
        case is Query: return "store what the query is made from"
        case is any RawRepresentable: return "store its rawValue"
        case is any SetAlgebra, is NSSet: return "store an array, Array(set), and read it as one"
        case is NSDictionary: return keys
        default: break
        }
        switch Mirror(reflecting: any).displayStyle {
        case .set: return "store an array, Array(set), and read it as one"
        case .dictionary: return keys
        case .tuple: return "store an array or a dictionary"
        case .enum where !(any is any Encodable): return "give the enum raw values, enum E: String, and store the rawValue"
        default: break
        }
        if any is any Encodable {
            return "store what try Firestore.Encoder().encode(value) returns, or the whole document with setData(from:)"
        }
        return "use strings, numbers, booleans, dates, Data, GeoPoint, references, and arrays and dictionaries of them"
    }

    private static let keys = "make the keys of the dictionary Strings, for example by their rawValue"
}
