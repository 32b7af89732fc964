// SPDX-License-Identifier: Apache-2.0
import CoreLocation
import FirebaseFirestore
import Foundation
import SwiftUI

/// A Swift value as source code: `Book(id: "x", title: "…")`, property wrappers unwrapped.
package enum SwiftListing {
    /// A `Date` is a double and therefore slightly earlier than the stored microsecond.
    private static func rounded(_ date: Date) -> Timestamp {
        Timestamp(date: Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1e6).rounded() / 1e6 + 1e-7))
    }

    /// In one line.
    package static func describe(_ value: Any) -> String { describe(value, width: .max) }

    /// With a line for each property or element of a value that would be longer than the width.
    package static func describe(_ value: Any, width: Int, indent: String = "") -> String {
        switch value {
        case let wrapper as DocumentID<String>: return describe(wrapper.wrappedValue as Any, width: width, indent: indent)
        case let wrapper as ServerTimestamp<Date>: return describe(wrapper.wrappedValue as Any, width: width, indent: indent)
        case let wrapper as ExplicitNull<String>: return describe(wrapper.wrappedValue as Any, width: width, indent: indent)
        case let text as String:
            let escaped = [("\\", "\\\\"), ("\"", "\\\""), ("\n", "\\n")].reduce(text) { $0.replacing($1.0, with: $1.1) }
            return "\"\(escaped)\""
        case let date as Date: return FieldListing.describe(rounded(date))
        case let url as URL: return "URL(\(url.absoluteString))"
        case let point as GeoPoint: return "GeoPoint(\(point.latitude), \(point.longitude))"
        case let reference as DocumentReference: return "DocumentReference(\(reference.path))"
        case let color as Color: return "Color(\(color.toHex ?? "outside sRGB"))"
        default: break
        }
        let mirror = Mirror(reflecting: value)
        /// The parts, between brackets: in one line if they fit.
        func parts(_ open: String, _ close: String, label: (Mirror.Child) -> String) -> String {
            let line = open + mirror.children.map { label($0) + describe($0.value) }.joined(separator: ", ") + close
            guard line.count > width - indent.count, !mirror.children.isEmpty else { return line }
            let inner = indent + "  "
            let lines = mirror.children.map { inner + label($0) + describe($0.value, width: width, indent: inner) }
            return "\(open)\n\(lines.joined(separator: ",\n"))\n\(indent)\(close)"
        }
        switch mirror.displayStyle {
        case .optional:
            return mirror.children.first.map { describe($0.value, width: width, indent: indent) } ?? "nil"
        case .collection, .set:
            return parts("[", "]") { _ in "" }
        case .struct where !mirror.children.isEmpty:
            return parts("\(type(of: value))(", ")") { child in
                let label = child.label ?? ""
                return (label.hasPrefix("_") ? String(label.dropFirst()) : label) + ": "
            }
        case .enum where mirror.children.isEmpty:
            return ".\(value)"
        default:
            return "\(value)"
        }
    }
}
