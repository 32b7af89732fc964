// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The reason why one value could not be written, before path and message are known.
enum WriteFailure: Error {
    /// The container is not the innermost one: its parent's value is still being encoded, or it is closed.
    case notCurrent
    /// The name has a value already, and it is not a container of this kind (R51).
    case nameTaken(String)
    /// The value of a document is not a map of fields (R7).
    case topLevel
    /// The value has a second single value (R52).
    case alreadyWritten
    case reservedName(String)
    case emptyName
    case nestedArray
    case tooDeep
    case sentinelInArray
    /// The integer.
    case outsideInt64(String)
    case nonConformingFloat
    case timestampRange
    case geoPointRange

    var reason: String {
        switch self {
        case .notCurrent: "was written to after its value had been encoded"
        case .nameTaken(let name): "a container was requested for '\(name)', which already has another value"
        case .topLevel: "a document must be a map of fields, and this value is not"
        case .alreadyWritten: "was encoded twice; a value must be either one single value or one container"
        case .reservedName(let name): "the name '\(name)' is reserved, because it begins and ends with '__'"
        case .emptyName: "a field name must not be empty"
        case .nestedArray: "an array cannot directly contain another array; put a map in between"
        case .tooDeep: "maps and arrays are nested more than 20 levels deep"
        case .sentinelInArray: "a FieldValue, or a @ServerTimestamp that is nil, cannot be inside an array"
        case .outsideInt64(let number): "the integer \(number) is outside the range of Int64 and cannot be stored"
        case .nonConformingFloat:
            "NaN and infinity cannot be stored unless nonConformingFloatEncodingStrategy turns them into strings"
        case .timestampRange: "a timestamp must lie within the years 1 to 9999"
        case .geoPointRange: "a geopoint's latitude must be within ±90 and its longitude within ±180"
        }
    }

    func error(value: Any, path: [any CodingKey]) -> EncodingError {
        let place = CodingPathText.text(path)
        let subject = path.isEmpty ? "" : "field '\(place)': "
        return .invalidValue(value, .init(codingPath: path, debugDescription: subject + reason + "."))
    }
}

// On Apple platforms the runtime converts every Swift error to NSError; elsewhere it converts the types that conform to
// a protocol (decision 0023). The conformance stands beside what makes the errors: the linker takes an object file out of a static
// archive only for a symbol that something names, and nothing names a conformance.
#if !canImport(ObjectiveC)
    /// Domain, code, messages and keys as on Apple platforms.
    extension EncodingError: @retroactive CustomNSError {
        /// `NSCocoaErrorDomain`.
        public static var errorDomain: String { NSCocoaErrorDomain }

        /// 4866.
        public var errorCode: Int { CocoaError.Code.coderInvalidValue.rawValue }

        /// Message, coding path and underlying error.
        public var errorUserInfo: [String: Any] {
            switch self {
            case .invalidValue(_, let context):
                CodingErrorInfo.make(self, context.codingPath, context.debugDescription, context.underlyingError)
            @unknown default: [OriginalError.key: OriginalError(self)]
            }
        }
    }

    extension EncodingError: @retroactive _ObjectiveCBridgeable, BridgedError {
        /// `invalidValue`, with the message of the `NSError`.
        public static func unbridged(_ source: NSError?) -> EncodingError {
            .invalidValue(
                source as Any, Context(codingPath: [], debugDescription: source?.localizedDescription ?? "", underlyingError: source))
        }
    }
#endif
