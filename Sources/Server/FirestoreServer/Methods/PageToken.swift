// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import HearthBase

/// Where the next page begins: the values of a cursor, or the rest of the answer.
///
/// Opaque text for the caller. Names the history of the database, to which its position belongs, and where that has runs, the run and the
/// time of the page before: one commit, which the database must have. Contains a checksum over itself and the other parameters of the
/// request, which must be the same from page to page (QR-51).
struct PageToken {
    var values: [ValueBytes]
    /// The time of the page before, if the token names it.
    private(set) var time = DocumentVersion.none

    init(values: [ValueBytes]) { self.values = values }

    /// What the bytes behind the values say.
    fileprivate enum Names: UInt64 {
        case nothing = 0
        /// The history, in 8 bytes.
        case history
        /// The time of the page before, the run and the history, in 8, 4 and 4 bytes.
        case commit
    }

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

        /// Tokens that name different things have different digests.
        fileprivate func digest(over bytes: some Sequence<UInt8>, _ names: Names) -> UInt64 {
            var copy = checksum
            if names != .nothing { copy.add(names.rawValue) }
            copy.add(bytes)
            return copy.value
        }
    }

    /// - Parameter time: The time of the page before.
    func text(_ parameters: Parameters, at time: DocumentVersion) -> String {
        var bytes: [UInt8] = []
        for value in values { value.bytes.withUnsafeBytes { bytes.appendLengthDelimited($0) } }
        var names = Names.nothing
        if let history = parameters.history {
            let run = history.runs?.mark
            if run != nil { bytes.append(bigEndian: UInt64(bitPattern: time.microseconds)) }
            bytes.append(bigEndian: UInt64(run ?? 0) << 32 | UInt64(history.mark))
            names = run == nil ? .history : .commit
        }
        let digest = parameters.digest(over: bytes, names)
        bytes.append(bigEndian: digest)
        return Base64.encode(bytes)
    }

    /// Returns nil for the empty text, which requests the first page.
    static func read(_ text: String, _ parameters: Parameters) throws(FirestoreError) -> PageToken? {
        guard !text.isEmpty else { return nil }
        guard let bytes = Base64.decode(text), bytes.count >= 8 else { throw invalid }
        let digest = bytes.number(at: bytes.count - 8)
        var body = Array(bytes.dropLast(8))
        var isKnown = true
        var time = DocumentVersion.none
        if body.count >= 16, digest == parameters.digest(over: body, .commit) {
            let marks = body.number(at: body.count - 8)
            time = DocumentVersion(microseconds: Int64(bitPattern: body.number(at: body.count - 16)))
            let mark = UInt32(truncatingIfNeeded: marks)
            isKnown = parameters.history?.includes(mark, run: UInt32(truncatingIfNeeded: marks >> 32), at: time) ?? true
            body.removeLast(16)
        } else if body.count >= 8, digest == parameters.digest(over: body, .history) {
            let mark = UInt32(truncatingIfNeeded: body.number(at: body.count - 8))
            isKnown = parameters.history?.continues(mark) ?? true
            body.removeLast(8)
        } else {
            guard digest == parameters.digest(over: body, .nothing) else { throw invalid }
            isKnown = parameters.history?.continues(nil) ?? true
        }
        guard isKnown else { throw ofAnotherHistory }
        var token = PageToken(values: try read(ByteSlice(body)))
        token.time = time
        return token
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
