// SPDX-License-Identifier: Apache-2.0
#if !canImport(ObjectiveC)
    public import Foundation

    /// An error that its `NSError` carries along: `catch let error as NSError` matches it, and a conversion back restores it.
    public protocol BridgedError: CustomNSError, _ObjectiveCBridgeable where _ObjectiveCType == NSError {
        /// The error that represents an `NSError` which did not carry one of this type.
        static func unbridged(_ source: NSError?) -> Self
    }

    extension BridgedError {
        /// The error with its message among the user info.
        public func _bridgeToObjectiveC() -> NSError {
            NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo)
        }

        /// The original of an `NSError` that was an error of this type; nil for others.
        public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout Self?) { result = OriginalError.of(source) }

        /// The original of an `NSError` that was an error of this type; false for others.
        public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout Self?) -> Bool {
            result = OriginalError.of(source)
            return result != nil
        }

        /// The original of an `NSError` that was an error of this type; `unbridged` for others.
        public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> Self {
            source.flatMap { OriginalError.of($0) } ?? unbridged(source)
        }
    }
#endif

#if !canImport(ObjectiveC)
    enum CodingErrorInfo {
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
