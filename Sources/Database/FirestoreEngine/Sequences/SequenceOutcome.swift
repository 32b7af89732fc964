// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The stored outcome of one commit of a sequence: enough to answer it again.
///
/// Stored as the fields of a document, because their encoding has versions of everything it needs: values, times, texts.
struct SequenceOutcome {
    /// Distinguishes the batch from others.
    let digest: UInt64
    /// When it was stored, in microseconds since 1970.
    let storedAt: Int64
    let result: Result<CommitResponse, FirestoreError>

    var bytes: ByteSlice {
        var fields: [(String, Value)] = [
            (Name.digest, .integer(Int64(bitPattern: digest))), (Name.storedAt, .integer(storedAt)),
        ]
        switch result {
        case .success(let response):
            fields.append((Name.time, .integer(response.commitTime.microseconds)))
            fields.append((Name.results, .array(response.results.map(Self.value))))
        case .failure(let error):
            fields.append((Name.code, .integer(Int64(error.code.rawValue))))
            // With the location, as on the wire.
            fields.append((Name.message, .string(error.description)))
        }
        return FieldBytes(FieldMap(fields)).bytes
    }

    /// nil if the bytes are damaged.
    init?(_ bytes: ByteSlice) {
        guard let fields = try? FieldBytes(canonical: bytes).map, case .integer(let digest)? = fields[Name.digest],
            case .integer(let storedAt)? = fields[Name.storedAt]
        else { return nil }
        self.digest = UInt64(bitPattern: digest)
        self.storedAt = storedAt
        if case .integer(let time)? = fields[Name.time], case .array(let values)? = fields[Name.results] {
            var results: [WriteResult] = []
            for value in values {
                guard let result = Self.result(value) else { return nil }
                results.append(result)
            }
            result = .success(CommitResponse(commitTime: DocumentVersion(microseconds: time), results: results))
        } else if case .integer(let code)? = fields[Name.code], case .string(let message)? = fields[Name.message],
            let code = FirestoreError.Code(rawValue: Int(code)), code != .ok
        {
            result = .failure(FirestoreError(code, message))
        } else {
            return nil
        }
    }

    init(digest: UInt64, storedAt: Int64, result: Result<CommitResponse, FirestoreError>) {
        self.digest = digest
        self.storedAt = storedAt
        self.result = result
    }

    private enum Name {
        static let digest = "digest"
        static let storedAt = "storedAt"
        static let time = "time"
        static let results = "results"
        static let code = "code"
        static let message = "message"
        static let updateTime = "updateTime"
        static let transforms = "transforms"
    }

    private static func value(_ result: WriteResult) -> Value {
        var fields: [(String, Value)] = []
        if let time = result.updateTime { fields.append((Name.updateTime, .integer(time.microseconds))) }
        if !result.transformResults.isEmpty { fields.append((Name.transforms, .array(result.transformResults))) }
        return .map(FieldMap(fields))
    }

    private static func result(_ value: Value) -> WriteResult? {
        guard case .map(let fields) = value else { return nil }
        var result = WriteResult(updateTime: nil)
        if case .integer(let time)? = fields[Name.updateTime] { result.updateTime = DocumentVersion(microseconds: time) }
        if case .array(let transforms)? = fields[Name.transforms] { result.transformResults = transforms }
        return result
    }
}

extension FirestoreError {
    /// Whether sending the commit again cannot succeed, so that its failure is recorded and repeated. A damaged or full database, and
    /// conflicts with other commits, may be resolved by then (LS-40).
    var isFinalForSequence: Bool {
        switch code {
        case .invalidArgument, .notFound, .alreadyExists, .permissionDenied, .failedPrecondition, .outOfRange, .unimplemented:
            !isSequenceLost
        case .ok, .cancelled, .unknown, .deadlineExceeded, .resourceExhausted, .aborted, .internal, .unavailable, .dataLoss,
            .unauthenticated:
            false
        }
    }
}
