// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// A row of the table of what a connection over HTTP/2 may do: documents and tests come from it.
package struct RPCLimitRow: Sendable {
    package let name: String
    /// The default of swift-nio-http2 1.46, which read the frames before.
    package let library: String
    package let ours: String
    package let why: String

    /// As a row of a table in Markdown.
    package var markdown: String { "| \(name) | \(library) | \(ours) | \(why) |" }

    /// The rows with the values of a server.
    package static func rows(_ limits: RPCLimits = RPCLimits(), budget: Int = MemoryBudget.usualLimit) -> [RPCLimitRow] {
        resets(limits) + controls(limits) + sizes(limits) + unread(limits, budget)
    }

    private static func resets(_ limits: RPCLimits) -> [RPCLimitRow] {
        [
            RPCLimitRow(
                name: "RST_STREAM", library: "200",
                ours: "\(grouped(limits.resetsPerHalfMinute)), of streams younger than a second and of streams that are closed",
                why: "a call that is cancelled after a while, or at its deadline, has cost what others cost; one that is cancelled "
                    + "immediately costs its client nothing (CVE-2023-44487)"),
            RPCLimitRow(
                name: "Open streams", library: "100",
                ours: "\(grouped(limits.concurrentStreams)) (a setting); beyond it `REFUSED_STREAM`. A call that is cancelled counts "
                    + "until it has ended",
                why: "each open Listen is a stream; work in progress must have a bound whatever the client cancels"),
            RPCLimitRow(
                name: "Streams in error", library: "200, and 200 in all",
                ours: "\(grouped(limits.resetsPerHalfMinute)), together with the resets",
                why: "a connection of hours may have more than 200 in all"),
        ]
    }

    private static func controls(_ limits: RPCLimits) -> [RPCLimitRow] {
        let most = grouped(limits.controlFramesPerHalfMinute)
        return [
            RPCLimitRow(
                name: "PING, PRIORITY", library: "200, together with SETTINGS",
                ours: "\(most), together with the four rows below; a ping behind an answer is free",
                why: "clients of gRPC measure with a ping for each round trip how fast answers arrive"),
            RPCLimitRow(
                name: "SETTINGS", library: "200, as above",
                ours: "\(most), as above; one that changes INITIAL_WINDOW_SIZE counts once more for each 100 open streams",
                why: "it costs a walk over the streams"),
            RPCLimitRow(
                name: "Acknowledgements of SETTINGS and PING", library: "none", ours: "those that were not asked for: \(most), as above",
                why: "they cost what others cost"),
            RPCLimitRow(
                name: "GOAWAY, frames of unknown kinds", library: "none; ALTSVC and ORIGIN as PING", ours: "\(most), as above",
                why: "browsers send a few unknown ones on purpose"),
            RPCLimitRow(
                name: "Empty DATA frames", library: "one in sequence", ours: "\(most), as above", why: "clients exist that send several"),
            RPCLimitRow(
                name: "WINDOW_UPDATE", library: "none",
                ours: "\(grouped(limits.windowUpdatesPerHalfMinute)), and four for each message that is sent, and one for each KiB",
                why: "a client that returns each byte by itself makes as many frames of one byte (CVE-2019-9511); one that returns each "
                    + "frame does not"),
        ]
    }

    private static func sizes(_ limits: RPCLimits) -> [RPCLimitRow] {
        [
            RPCLimitRow(
                name: "CONTINUATION of a header block", library: "5", ours: "\(limits.continuations)",
                why: "all of 16 KiB in parts of 1 KiB; they may be empty"),
            RPCLimitRow(
                name: "Header fields", library: "16 KiB", ours: "\(limits.headerListSize >> 10) KiB",
                why: "the tokens that callers send have up to 4 KiB"),
            RPCLimitRow(name: "Frame size", library: "16 KiB", ours: "\(HTTP2FrameHead.usualPayload >> 10) KiB", why: "–"),
            RPCLimitRow(
                name: "Closed streams that are remembered", library: "32", ours: grouped(2 * limits.concurrentStreams),
                why: "frames that the peer has sent before it knew of the reset, of as many streams as may be open"),
        ]
    }

    private static func unread(_ limits: RPCLimits, _ budget: Int) -> [RPCLimitRow] {
        [
            RPCLimitRow(
                name: "Requests and answers that a connection holds", library: "none",
                ours: "\(limits.budgetPerConnection >> 20) MiB, less while others hold much; \(budget >> 20) MiB in the process (below)",
                why: "the peer decides when it reads"),
            RPCLimitRow(
                name: "Requests that arrive", library: "none",
                ours: "\(limits.collectingPerConnection >> 20) MiB for each connection, less while others hold much",
                why: "the peer decides whether they end"),
            RPCLimitRow(
                name: "Time without progress of data that waits", library: "none",
                ours: "\(HTTP2ConnectionHandler.patience.nanoseconds / 1_000_000_000) s, then the stream is reset; the connection ends if "
                    + "the socket takes nothing",
                why: "an idle stream has nothing that waits"),
            RPCLimitRow(
                name: "What waits for the socket beside data", library: "none", ours: "\(HTTP2ConnectionHandler.mostUnsent >> 20) MiB",
                why: "answers without data, and acknowledgements, need no window"),
        ]
    }

    private static func grouped(_ number: Int) -> String {
        number < 1000 ? "\(number)" : "\(number / 1000),\(String(String(number % 1000 + 1000).dropFirst()))"
    }
}
