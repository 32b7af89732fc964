// SPDX-License-Identifier: Apache-2.0

/// The open streams of a connection.
struct StreamTable {
    private var streams: [StreamID: ServerStream] = [:]
    /// The stream of the last frame: DATA follows its HEADERS.
    private var recent: ServerStream?

    var count: Int { streams.count }
    var all: some Sequence<ServerStream> { streams.values }

    mutating func add(_ stream: ServerStream) {
        streams[stream.id] = stream
        recent = stream
    }

    mutating func stream(_ id: StreamID) -> ServerStream? {
        if let recent, recent.id == id { return recent }
        guard let stream = streams[id] else { return nil }
        recent = stream
        return stream
    }

    func isAnswering(_ id: StreamID) -> Bool { streams[id].map { !$0.responseEnded } ?? false }

    mutating func remove(_ id: StreamID) -> ServerStream? {
        if recent?.id == id { recent = nil }
        return streams.removeValue(forKey: id)
    }

    mutating func removeAll() -> [ServerStream] {
        defer { self = StreamTable() }
        return Array(streams.values)
    }
}
