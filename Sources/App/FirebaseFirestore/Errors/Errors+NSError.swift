// SPDX-License-Identifier: Apache-2.0

// On Apple platforms the runtime converts every Swift error to NSError; elsewhere it converts the types that conform to
// a protocol (decision 0023).
#if !canImport(ObjectiveC)
    import FirestoreCoding
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

    /// Lets `catch let error as NSError` match.
    extension FirestoreEncodingError: _ObjectiveCBridgeable {
        /// The type that the error bridges to.
        public typealias _ObjectiveCType = NSError

        /// The error with its message under `NSLocalizedDescriptionKey`.
        public func _bridgeToObjectiveC() -> NSError {
            NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo)
        }

        /// The original of an `NSError` that was a `FirestoreEncodingError`; nil for others.
        public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout FirestoreEncodingError?) {
            result = OriginalError.of(source)
        }

        /// The original of an `NSError` that was a `FirestoreEncodingError`; false for others.
        public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout FirestoreEncodingError?) -> Bool {
            result = OriginalError.of(source)
            return result != nil
        }

        /// The original of an `NSError` that was a `FirestoreEncodingError`; for others an error with their message.
        public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> FirestoreEncodingError {
            source.flatMap { OriginalError.of($0) } ?? .encodingIsNotSupported(source?.localizedDescription ?? "")
        }
    }

    /// Lets `catch let error as NSError` match.
    extension FirestoreDecodingError: _ObjectiveCBridgeable {
        /// The type that the error bridges to.
        public typealias _ObjectiveCType = NSError

        /// The error with its message under `NSLocalizedDescriptionKey`.
        public func _bridgeToObjectiveC() -> NSError {
            NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo)
        }

        /// The original of an `NSError` that was a `FirestoreDecodingError`; nil for others.
        public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout FirestoreDecodingError?) {
            result = OriginalError.of(source)
        }

        /// The original of an `NSError` that was a `FirestoreDecodingError`; false for others.
        public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout FirestoreDecodingError?) -> Bool {
            result = OriginalError.of(source)
            return result != nil
        }

        /// The original of an `NSError` that was a `FirestoreDecodingError`; for others an error with their message.
        public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> FirestoreDecodingError {
            source.flatMap { OriginalError.of($0) } ?? .decodingIsNotSupported(source?.localizedDescription ?? "")
        }
    }
#endif
