// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCoding
import FirestoreCore
import Foundation

/// Parses the objects of a `[String: Any]` that contain no others: everything but arrays, dictionaries and field values.
///
/// The errors have no location.
struct ScalarParser {
    enum Purpose {
        /// To be stored, or compared with what is stored: only with microseconds, and only references to this database, if it is known.
        case stored(in: DatabaseID?)
        /// To be decoded: with nanoseconds, and with reference objects, which are collected.
        case decoded(ReferenceObjects)
    }

    let purpose: Purpose

    /// Prevents a hostile dictionary from exhausting the stack, too. (DM-27)
    static func checkDepth(_ depth: Int) throws(FirestoreError) {
        guard depth <= Limits.nestingLevels + 1 else {
            throw .invalidArgument("maps and arrays nest at most \(Limits.nestingLevels) levels deep")
        }
    }

    /// nil for an object of another kind.
    func value(_ any: Any) throws(FirestoreError) -> Value? {
        // Casts that fail are slow, except those between classes.
        let type = type(of: any)
        if type is AnyClass, let value = try value(object: any as AnyObject) { return value }
        if type == Date.self, let date = any as? Date { return try timestamp(Timestamp(date: date)) }
        if type == Substring.self, let text = any as? Substring { return .string(String(text)) }
        if type == Decimal.self, let decimal = any as? Decimal { return .double(decimal.nearestDouble) }
        switch any {
        case let text as String: return .string(text)
        case let number as NSNumber: return try scalar(number)
        case let number as CGFloat: return .double(Double(number))
        case let date as Date: return try timestamp(Timestamp(date: date))
        case let data as Data: return .bytes([UInt8](data))
        default: return nil
        }
    }

    private func value(object: AnyObject) throws(FirestoreError) -> Value? {
        switch object {
        case let number as NSNumber: return try scalar(number)
        case let timestamp as Timestamp: return try self.timestamp(timestamp)
        case let point as GeoPoint:
            let value = GeoPointValue(latitude: point.latitude, longitude: point.longitude)
            guard value.isValid else { throw .invalidArgument("a GeoPoint must lie within ±90 and ±180 degrees") }
            return .geoPoint(value)
        case let vector as VectorValue: return .vector(vector.array)
        case let reference as DocumentReference: return try self.reference(reference)
        case is NSNull: return .null
        default: return nil
        }
    }

    private func scalar(_ number: NSNumber) throws(FirestoreError) -> Value {
        switch number.content {
        case .boolean(let flag): return .boolean(flag)
        case .integer(let integer): return .integer(integer)
        case .double(let double): return .double(double)
        case .unsigned(let number):
            throw .invalidArgument("the integer \(number) is above Int64.max and cannot be stored")
        }
    }

    private func timestamp(_ timestamp: Timestamp) throws(FirestoreError) -> Value {
        let value = TimestampValue(seconds: timestamp.seconds, nanoseconds: timestamp.nanoseconds)
        guard value.isValid else { throw .invalidArgument("a timestamp must lie within the years 1 to 9999") }  // VAL-21
        if case .decoded = purpose { return .timestamp(value) }
        return .timestamp(value.truncatedToMicroseconds)
    }

    private func reference(_ reference: DocumentReference) throws(FirestoreError) -> Value {
        let target = reference.firestore.databaseID
        if case .stored(in: let database?) = purpose, target != database {
            throw .invalidArgument(
                "a reference must belong to the same database: this one is of "
                    + "\(target.projectID)/\(target.databaseID)")
        }
        do {
            let name = target.name(of: try reference.location.get())
            if case .decoded(let references) = purpose { references.add(reference, name: name) }
            return .reference(name)
        } catch {
            throw .invalidArgument("the reference has an invalid path: \(error.message)")
        }
    }
}

/// Unwraps an optional inside an `Any`: `nil as String?` in a dictionary means null, as on Apple platforms.
protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    var wrapped: Any? { self }
}
