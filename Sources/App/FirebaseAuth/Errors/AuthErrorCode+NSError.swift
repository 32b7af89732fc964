// SPDX-License-Identifier: Apache-2.0

// On Apple platforms the runtime converts every Swift error to NSError; elsewhere it converts the types that conform to
// a protocol (decision 0023).
#if !canImport(ObjectiveC)
    public import Foundation

    /// Lets `catch let code as AuthErrorCode` match the `NSError` of an operation, and `catch let error as NSError` a code.
    extension AuthErrorCode: _ObjectiveCBridgeable {
        /// The type that the error bridges to.
        public typealias _ObjectiveCType = NSError

        /// The error with its domain, code and user info.
        public func _bridgeToObjectiveC() -> NSError {
            NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo)
        }

        /// The code of an error of Auth; nil for others.
        public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout AuthErrorCode?) {
            result = source.domain == AuthErrors.domain ? AuthErrorCode(rawValue: source.code) : nil
        }

        /// The code of an error of Auth; false for others.
        public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout AuthErrorCode?) -> Bool {
            _forceBridgeFromObjectiveC(source, result: &result)
            return result != nil
        }

        /// The code of an error of Auth; `internalError` for others.
        public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> AuthErrorCode {
            source.map { AuthErrorCode(_nsError: $0) } ?? .internalError
        }
    }
#endif
