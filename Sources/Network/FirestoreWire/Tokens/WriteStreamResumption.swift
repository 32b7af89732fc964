// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The data that a client stores to resume a Write stream of a Hearth server: a batch whose answer was lost is answered again instead of
/// applied again (decision 28).
///
/// A client
/// 1. opens a stream with `request(opening:)`. If `init(agreement:)` returns nil for the answer, the server does not resume Write
///    streams, and the stream is an ordinary one;
/// 2. stores the resumption with every batch that it finishes, in one transaction: `reading(_:)` gives the next value. With every batch it
///    sends a `token` that is stored durably; the server discards the answers up to it, and stores 256 others;
/// 3. after a lost connection opens the next stream with `request(resuming:)`, and sends all batches that are not finished again:
///    the same batches, in the same order, the first of them first. Batches behind them may change until they have been sent;
/// 4. if the stream ends with an error of which `isLost` is true, at the handshake or later, drops the resumption and opens
///    another stream with `request(opening:)`. Whether batches that were sent and not finished have been applied is then not known.
package struct WriteStreamResumption: Sendable, Hashable {
    package let streamID: String
    /// The token of the last finished batch, or of the handshake.
    package let token: ByteSlice
    /// The number of finished batches.
    package let number: Int64
    /// The history of the database that the stream belongs to; nil for a stream of a database without one.
    package let history: UInt32?

    /// The meaning of a response to a batch.
    package enum Reading: Sendable, Hashable {
        /// The batch was committed. The resumption is to be stored together with the commit.
        case committed(WriteStreamResumption)
        /// The batch has failed for good, and the stream ends with the status that says why. Together with that status the batch
        /// is finished: the resumption is to be stored with its removal. If the stream ends in another way, the batch is not finished:
        /// when it is sent again it is answered with the same failure.
        case failed(WriteStreamResumption)
    }

    private static let label = (name: "hearth-resumable", value: "1")
    private static let idPrefix = "hearth-"

    /// Restores a stored resumption; nil if it is damaged.
    package init?(streamID: String, token: ByteSlice) {
        guard Self.isResumable(streamID), let read = WriteStreamToken(token, of: streamID) else { return nil }
        self.init(streamID, read)
    }

    private init(_ streamID: String, _ token: WriteStreamToken) {
        self.streamID = streamID
        number = token.number
        history = token.history
        self.token = token.bytes(of: streamID)
    }

    // MARK: For clients

    /// The first message of a stream that the client wants to resume later. Servers that cannot resume streams ignore the wish.
    package static func request(opening database: DatabaseID) -> WriteRequest {
        WriteRequest(database: database, labels: [label])
    }

    /// Reads the answer to `request(opening:)` or `request(resuming:)`; nil if the server does not resume the stream.
    package init?(agreement response: WriteResponse) {
        self.init(streamID: response.streamID, token: response.streamToken)
    }

    /// The first message of the next stream. Its answer must be an agreement that equals this resumption.
    package func request(resuming database: DatabaseID) -> WriteRequest {
        WriteRequest(database: database, streamID: streamID, streamToken: token, labels: [Self.label])
    }

    /// Reads the response to the first unfinished batch. nil if it does not follow on this resumption: the client closes the stream
    /// and resumes it.
    package func reading(_ response: WriteResponse) -> Reading? {
        guard let token = WriteStreamToken(response.streamToken, of: streamID), token.number == number + 1 else { return nil }
        guard token.history == history else { return nil }
        let next = WriteStreamResumption(streamID, token)
        return response.commitTime == nil ? .failed(next) : .committed(next)
    }

    /// Whether an error says that the stream cannot be resumed any more. It takes precedence over what the code of the error means
    /// otherwise: no batch was rejected.
    package static func isLost(_ error: FirestoreError) -> Bool { error.isSequenceLost }

    // MARK: For servers

    /// Whether the first message of a stream asks for one that can be resumed.
    package static func isWanted(by request: WriteRequest) -> Bool {
        request.labels.contains { equalUTF8($0.name, label.name) && equalUTF8($0.value, label.value) }
    }

    /// Whether a stream id has the form of those that can be resumed.
    package static func isResumable(_ streamID: String) -> Bool {
        streamID.utf8.starts(with: idPrefix.utf8) && streamID.utf8.count <= 64
    }

    /// An id that cannot be guessed: 128 random bits.
    package static func makeStreamID() -> String {
        var generator = SystemRandomNumberGenerator()
        return makeStreamID(using: &generator)
    }

    package static func makeStreamID(using generator: inout some RandomNumberGenerator) -> String {
        let digits = (0..<2).map { _ in
            let half = String(UInt64.random(in: .min ... .max, using: &generator), radix: 16)
            return String(repeating: "0", count: 16 - half.utf8.count) + half
        }
        return idPrefix + digits.joined()
    }
}

extension WriteRequest {
    /// A number that distinguishes the batch of a message from other batches: of its writes as they were sent, without the token. FNV-1a,
    /// 64 bits: finds a client's mistakes, not an attacker's forgeries, which would only harm the attacker's own stream.
    package static func digest(of message: ByteSlice) throws(FirestoreError) -> UInt64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        var reader = MessageReader(message)
        while let field = try reader.next() {
            guard field.number == 3, let bytes = field.bytes else { continue }
            // The length separates writes.
            withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { length in
                for byte in length { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
            }
            for byte in bytes.buffer { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        withExtendedLifetime(message) {}
        return sum
    }
}
