// SPDX-License-Identifier: Apache-2.0

/// The requests that were read in this turn of the loop, and the thread that they go to.
struct OffLoopJobs {
    private let run: OffLoop
    private var batches: [UnaryBatch] = []
    private var exchanges: [HTTPServerStream] = []

    init(_ run: @escaping OffLoop) { self.run = run }

    mutating func append(_ stream: UnaryServerStream, _ run: @escaping @Sendable ([any RPCUnaryCall]) -> Void) {
        let path = stream.info.path
        for index in batches.indices where batches[index].path == path {
            batches[index].calls.append(stream)
            return
        }
        batches.append(UnaryBatch(path: path, run: run, calls: [stream]))
    }

    mutating func append(_ exchange: HTTPServerStream) { exchanges.append(exchange) }

    mutating func removeAll() {
        batches = []
        exchanges = []
    }

    /// Sends one job for everything that was read together.
    mutating func sendOut(to http: (any HTTPService)?) {
        if !batches.isEmpty {
            let jobs = batches
            batches.removeAll(keepingCapacity: true)
            run { for job in jobs { job.run(job.calls) } }
        }
        if !exchanges.isEmpty, let http {
            let jobs = exchanges
            exchanges.removeAll(keepingCapacity: true)
            run { for job in jobs { http.handle(job) } }
        }
    }
}
