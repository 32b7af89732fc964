// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import HearthBase

/// Where the next page begins: the values of a cursor, or the rest of the answer.
///
/// Opaque text for the caller. Names the history of the database, to which its position belongs. Contains a checksum over
/// itself and the other parameters of the request, which must be the same from
/// page to page (QR-51).
struct PageToken {
    var values: [ValueBytes]

    init(values: [ValueBytes]) { self.values = values }

    /// The parameters of a request other than its page token and page size.
    struct Parameters {
        private var checksum = Checksum()
        fileprivate let history: DatabaseHistory?

        init(method: FirestoreMethod, database: DatabaseID, history: DatabaseHistory?) {
            self.history = history
            add(method.rawValue)
            add(database.projectID)
            add(database.databaseID)
        }

        mutating func add(_ text: String?) {
            checksum.add(text == nil ? 0 : 1)
            if let text { checksum.add(text) }
        }

        mutating func add(_ number: Int) { checksum.add(UInt64(truncatingIfNeeded: number)) }

        mutating func add(_ mask: [FieldPathSegments]?) {
            add(mask?.count ?? -1)
            for path in mask ?? [] { add(path.canonical) }
        }

        /// Tokens that name a history have another digest than those that do not.
        fileprivate func digest(over bytes: some Sequence<UInt8>, namesHistory: Bool) -> UInt64 {
            var copy = checksum
            if namesHistory { copy.add(UInt64(1)) }
            copy.add(bytes)
            return copy.value
        }
    }

    func text(_ parameters: Parameters) -> String {
        var bytes: [UInt8] = []
        for value in values { value.bytes.withUnsafeBytes { bytes.appendLengthDelimited($0) } }
        if let history = parameters.history { bytes.append(bigEndian: UInt64(history.mark)) }
        let digest = parameters.digest(over: bytes, namesHistory: parameters.history != nil)
        bytes.append(bigEndian: digest)
        return Base64.encode(bytes)
    }

    /// Returns nil for the empty text, which requests the first page.
    static func read(_ text: String, _ parameters: Parameters) throws(FirestoreError) -> PageToken? {
        guard !text.isEmpty else { return nil }
        guard let bytes = Base64.decode(text), bytes.count >= 8 else { throw invalid }
        let digest = bytes.number(at: bytes.count - 8)
        var body = Array(bytes.dropLast(8))
        var history: UInt32?
        if body.count >= 8, digest == parameters.digest(over: body, namesHistory: true) {
            history = UInt32(truncatingIfNeeded: body.number(at: body.count - 8))
            body.removeLast(8)
        } else {
            guard digest == parameters.digest(over: body, namesHistory: false) else { throw invalid }
        }
        guard parameters.history?.continues(history) ?? true else { throw ofAnotherHistory }
        return PageToken(values: try read(ByteSlice(body)))
    }

    /// The checksum is not a signature: values are checked like the values of any request.
    private static func read(_ slice: ByteSlice) throws(FirestoreError) -> [ValueBytes] {
        defer { withExtendedLifetime(slice) {} }
        var reader = WireReader(position: slice.start, end: slice.end)
        var values: [ValueBytes] = []
        while !reader.isAtEnd {
            guard let buffer = reader.lengthDelimited() else { throw invalid }
            do { values.append(ValueBytes(try Value(ValueView(buffer)))) } catch { throw invalid }
        }
        return values
    }

    private static let ofAnotherHistory = FirestoreError.invalidArgument(
        "the page token is from before the database was restored from a copy: start again with the first page")

    private static let invalid = FirestoreError.invalidArgument(
        "invalid page token: use the token of the previous page, with all other parameters unchanged")
}
