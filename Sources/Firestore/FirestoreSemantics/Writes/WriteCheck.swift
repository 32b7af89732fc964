// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Checks of a commit that do not need stored documents, made before it is queued (WR-2, WR-12, WR-31). All failures are
/// `invalidArgument`.
package enum WriteCheck {
    ///
    /// - Parameter most: The size of the largest commit, in bytes.
    package static func check(_ writes: [Write], most: Int = Limits.requestBytes) throws(FirestoreError) {
        try Limit.commitWrites.check(writes.count)
        var bytes = 0
        var transforms: [DocumentKey: Int] = [:]
        for write in writes {
            try PathCheck.check(write.key)
            bytes += write.key.path.utf8.count
            // Before anything is done for each of them.
            try Limit.transforms.check(write.transforms.count, at: write.key.path)
            do { bytes += try check(write) } catch { throw error.located(at: write.key.path) }
            if !write.transforms.isEmpty {
                let count = transforms[write.key, default: 0] + write.transforms.count
                transforms[write.key] = count
                try Limit.transforms.check(count, at: write.key.path)
            }
        }
        guard bytes <= most else {
            throw .invalidArgument("the commit takes \(bytes) bytes and exceeds the maximum of \(most); split it")
        }
    }

    /// The size of the write, in bytes.
    private static func check(_ write: Write) throws(FirestoreError) -> Int {
        switch write.operation {
        case .set(let fields):
            try DocumentCheck.check(fields, of: write.key)
            return fields.bytes.count + (try check(write.transforms, of: write.key))
        case .patch(let fields, let mask):
            try DocumentCheck.check(fields, of: write.key)
            try check(mask: mask)
            return fields.bytes.count + (try check(write.transforms, of: write.key))
        case .delete, .verify:
            guard write.transforms.isEmpty else {
                throw .invalidArgument("transforms belong to a set or an update, not to a delete or verify")
            }
            if case .verify = write.operation, write.precondition == nil {
                throw .invalidArgument("a verify checks a precondition; give it one")
            }
            return 0
        }
    }

    /// No reserved names. Duplicates, and paths inside other paths of the mask, are legal; the outer path takes
    /// precedence (WR-9).
    private static func check(mask: [FieldPathSegments]) throws(FirestoreError) {
        try Limit.writeMask.check(mask.count)
        for path in mask { try PathCheck.checkWritable(path) }
    }

    /// The size of the operands, in bytes.
    private static func check(_ transforms: [FieldTransform], of key: DocumentKey) throws(FirestoreError) -> Int {
        var bytes = 0
        for transform in transforms {
            try PathCheck.checkWritable(transform.path)
            switch transform.kind {
            case .serverTimestamp: break
            case .increment(let operand), .maximum(let operand), .minimum(let operand):
                guard NumberTransforms.isNumber(operand) else { throw notANumber(transform.path) }
            case .appendMissingElements(let elements), .removeAllFromArray(let elements):
                for element in elements { bytes += try check(element: element, of: transform.path, in: key) }
            }
        }
        guard transforms.count > 1 else { return bytes }
        // Several transforms of one field are legal (WR-28); transforms of a field and of one inside it are not.
        let sorted = transforms.map(\.path).sorted()
        for (path, next) in zip(sorted, sorted.dropFirst()) where path != next && path.isPrefix(of: next) {
            throw .invalidArgument(
                "the write transforms \(path.quoted) and \(next.quoted), one of which contains the other; use separate commits")
        }
        return bytes
    }

    /// The size of the element, in bytes.
    private static func check(
        element: Value, of path: FieldPathSegments, in key: DocumentKey
    ) throws(FirestoreError) -> Int {
        // Elements are not arrays: arrays cannot hold arrays (WR-37).
        if case .array = element {
            throw .invalidArgument(
                "an element of an array union or removal is an array; an array cannot contain an array",
                at: "\(key.path), field \(path.quoted)")
        }
        let bytes = ValueBytes(element)
        try DocumentCheck.check(bytes, in: "\(key.path), field \(path.quoted)")
        return bytes.bytes.count
    }

    static func notANumber(_ path: FieldPathSegments) -> FirestoreError {
        .invalidArgument(
            "the operand of increment, maximum or minimum on field \(path.quoted) must be an integer or a double")
    }
}
