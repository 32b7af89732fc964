// SPDX-License-Identifier: Apache-2.0

// On Apple platforms the runtime converts every Swift error to NSError; elsewhere it converts the types that conform to
// a protocol (decision 0023).
#if !canImport(ObjectiveC)
    public import FirestoreCoding
    public import Foundation

    /// Lets `catch let error as NSError` match an error of Firestore, and `as? FirestoreErrorCode` match its `NSError`.
    extension FirestoreErrorCode: _ObjectiveCBridgeable {
        /// The type that the error bridges to.
        public typealias _ObjectiveCType = NSError

        /// The error with its domain, code and user info.
        public func _bridgeToObjectiveC() -> NSError { nsError }

        /// An error of the domain `FirestoreErrorDomain`; nil for others.
        public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout FirestoreErrorCode?) {
            result = source.domain == FirestoreErrorDomain ? FirestoreErrorCode(source) : nil
        }

        /// An error of the domain `FirestoreErrorDomain`; false for others.
        public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout FirestoreErrorCode?) -> Bool {
            _forceBridgeFromObjectiveC(source, result: &result)
            return result != nil
        }

        /// An error of the domain `FirestoreErrorDomain`; `unknown`, with the other error under it, for others.
        public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> FirestoreErrorCode {
            guard let source else { return FirestoreErrorCode(.unknown) }
            return source.domain == FirestoreErrorDomain
                ? FirestoreErrorCode(source) : FirestoreErrorCode(.unknown, userInfo: [NSUnderlyingErrorKey: source])
        }
    }

    extension FirestoreEncodingError: BridgedError {
        /// An error with the message of the `NSError`.
        public static func unbridged(_ source: NSError?) -> FirestoreEncodingError {
            .encodingIsNotSupported(source?.localizedDescription ?? "")
        }
    }

    extension FirestoreDecodingError: BridgedError {
        /// An error with the message of the `NSError`.
        public static func unbridged(_ source: NSError?) -> FirestoreDecodingError {
            .decodingIsNotSupported(source?.localizedDescription ?? "")
        }
    }
#endif
