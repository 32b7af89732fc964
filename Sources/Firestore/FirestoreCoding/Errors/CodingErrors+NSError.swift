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

    extension DecodingError: @retroactive _ObjectiveCBridgeable, BridgedError {
        /// `dataCorrupted`, with the message of the `NSError`.
        public static func unbridged(_ source: NSError?) -> DecodingError {
            .dataCorrupted(Context(codingPath: [], debugDescription: source?.localizedDescription ?? "", underlyingError: source))
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

    extension EncodingError: @retroactive _ObjectiveCBridgeable, BridgedError {
        /// `invalidValue`, with the message of the `NSError`.
        public static func unbridged(_ source: NSError?) -> EncodingError {
            .invalidValue(
                source as Any, Context(codingPath: [], debugDescription: source?.localizedDescription ?? "", underlyingError: source))
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
