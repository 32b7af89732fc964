// SPDX-License-Identifier: Apache-2.0

// On Apple platforms the runtime converts every Swift error to NSError; elsewhere it converts the types that conform to
// a protocol (decision 0023).
#if !canImport(ObjectiveC)
    public import Foundation

    /// Domain, codes, messages and keys as on Apple platforms.
    extension DecodingError: @retroactive CustomNSError {
        /// `NSCocoaErrorDomain`.
        public static var errorDomain: String { NSCocoaErrorDomain }

        /// 4864 for a mismatch, 4865 for a missing value.
        public var errorCode: Int {
            switch self {
            case .typeMismatch, .dataCorrupted: CocoaError.Code.coderReadCorrupt.rawValue
            case .valueNotFound, .keyNotFound: CocoaError.Code.coderValueNotFound.rawValue
            @unknown default: CocoaError.Code.coderReadCorrupt.rawValue
            }
        }

        /// Message, coding path and underlying error.
        public var errorUserInfo: [String: Any] {
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context), .dataCorrupted(let context):
                CodingErrorInfo.make(self, context.codingPath, context.debugDescription, context.underlyingError)
            @unknown default: [OriginalError.key: OriginalError(self)]
            }
        }
    }

    /// Lets `catch let error as NSError` match a `DecodingError`.
    extension DecodingError: @retroactive _ObjectiveCBridgeable {
        /// The type that the error bridges to.
        public typealias _ObjectiveCType = NSError

        /// The error with its message under `NSDebugDescription`.
        public func _bridgeToObjectiveC() -> NSError {
            NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo)
        }

        /// The original of an `NSError` that was a `DecodingError`; nil for others.
        public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout DecodingError?) {
            result = OriginalError.of(source)
        }

        /// The original of an `NSError` that was a `DecodingError`; false for others.
        public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout DecodingError?) -> Bool {
            result = OriginalError.of(source)
            return result != nil
        }

        /// The original of an `NSError` that was a `DecodingError`; `dataCorrupted` for others.
        public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> DecodingError {
            source.flatMap { OriginalError.of($0) }
                ?? .dataCorrupted(Context(codingPath: [], debugDescription: source?.localizedDescription ?? "", underlyingError: source))
        }
    }

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

    /// Lets `catch let error as NSError` match an `EncodingError`.
    extension EncodingError: @retroactive _ObjectiveCBridgeable {
        /// The type that the error bridges to.
        public typealias _ObjectiveCType = NSError

        /// The error with its message under `NSDebugDescription`.
        public func _bridgeToObjectiveC() -> NSError {
            NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo)
        }

        /// The original of an `NSError` that was an `EncodingError`; nil for others.
        public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout EncodingError?) {
            result = OriginalError.of(source)
        }

        /// The original of an `NSError` that was an `EncodingError`; false for others.
        public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout EncodingError?) -> Bool {
            result = OriginalError.of(source)
            return result != nil
        }

        /// The original of an `NSError` that was an `EncodingError`; `invalidValue` for others.
        public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> EncodingError {
            source.flatMap { OriginalError.of($0) }
                ?? .invalidValue(
                    source as Any,
                    Context(codingPath: [], debugDescription: source?.localizedDescription ?? "", underlyingError: source))
        }
    }

    private enum CodingErrorInfo {
        /// Foundation's messages on Apple platforms. The details are under `NSDebugDescription`: the guide's code shows
        /// both.
        private static func words(_ error: any Error) -> String {
            switch error {
            case DecodingError.keyNotFound, DecodingError.valueNotFound: "The data couldn’t be read because it is missing."
            case is EncodingError: "The data couldn’t be written because it isn’t in the correct format."
            default: "The data couldn’t be read because it isn’t in the correct format."
            }
        }

        static func make(
            _ original: any Error, _ path: [any CodingKey], _ text: String, _ underlying: (any Error)?
        ) -> [String: Any] {
            var info: [String: Any] = [
                NSLocalizedDescriptionKey: words(original), "NSDebugDescription": text, "NSCodingPath": path,
                OriginalError.key: OriginalError(original),
            ]
            if let underlying { info[NSUnderlyingErrorKey] = OriginalError.underlying(underlying) }
            return info
        }
    }
#endif
