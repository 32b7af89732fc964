// SPDX-License-Identifier: Apache-2.0
import CoreLocation
import FirebaseFirestore
import Foundation
import SwiftUI

/// A Swift value as source code: `Book(id: "x", title: "…")`, property wrappers unwrapped.
enum SwiftListing {
    /// A `Date` is a double and therefore slightly earlier than the stored microsecond.
    private static func rounded(_ date: Date) -> Timestamp {
        Timestamp(date: Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1e6).rounded() / 1e6 + 1e-7))
    }

    static func describe(_ value: Any) -> String {
        switch value {
        case let wrapper as DocumentID<String>: return describe(wrapper.wrappedValue as Any)
        case let wrapper as ServerTimestamp<Date>: return describe(wrapper.wrappedValue as Any)
        case let wrapper as ExplicitNull<String>: return describe(wrapper.wrappedValue as Any)
        case let text as String: return "\"\(text)\""
        case let date as Date: return FieldListing.describe(rounded(date))
        case let url as URL: return "URL(\(url.absoluteString))"
        case let point as GeoPoint: return "GeoPoint(\(point.latitude), \(point.longitude))"
        case let color as Color: return "Color(\(color.toHex ?? "outside sRGB"))"
        default: break
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional:
            return mirror.children.first.map { describe($0.value) } ?? "nil"
        case .collection, .set:
            return "[" + mirror.children.map { describe($0.value) }.joined(separator: ", ") + "]"
        case .struct where !mirror.children.isEmpty:
            let properties = mirror.children.map { child in
                let label = child.label ?? ""
                return (label.hasPrefix("_") ? String(label.dropFirst()) : label) + ": " + describe(child.value)
            }
            return "\(type(of: value))(\(properties.joined(separator: ", ")))"
        case .enum where mirror.children.isEmpty:
            return ".\(value)"
        default:
            return "\(value)"
        }
    }
}
