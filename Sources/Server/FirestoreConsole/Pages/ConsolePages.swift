// SPDX-License-Identifier: Apache-2.0
import FirestoreGateway
import FirestoreRPC

/// The files of the console and of the guide (CO-5 … CO-7), from the program itself or from a directory.
struct ConsolePages: Sendable {
    private let folder: PageFolder

    /// - Parameter directory: Where files are read from with every request; nil for those inside the program.
    init(directory: String? = nil) {
        folder = PageFolder(directory: directory)
    }

    /// Answers GET and HEAD for a path below `/console/` or `/guide/`.
    ///
    /// - Parameter path: The path after the site's root, as sent.
    func answer(_ path: Substring, of site: PageSite, _ exchange: any HTTPExchange) {
        // The page reads its own path. Ids contain dots, so only a file that exists is one.
        guard let file = site.file(path).flatMap(file) ?? site.file("index.html").flatMap(file) else {
            return exchange.respond(
                text: "the console's files are not in \(folder.directory ?? "this program")\n", status: 404)
        }
        let tag = "\"\(file.tag)\""
        var headers = RPCMetadata([("etag", tag), ("cache-control", "no-cache")])
        if let known = exchange.request.headers["if-none-match"], Self.names(known, tag) {
            // Without a length: that of the file is not meant.
            exchange.begin(status: 304, headers: headers)
            return exchange.end()
        }
        headers.append("content-type", PageFile.type(of: file.path) ?? "application/octet-stream")
        exchange.respond(status: 200, headers: headers, body: file.bytes)
    }

    private static func names(_ known: String, _ tag: String) -> Bool {
        known.split(separator: ",").contains { part in
            let word = part.drop { $0 == " " }.prefix { $0 != " " }
            return word == "*" || (word.hasPrefix("W/") ? word.dropFirst(2) : word) == tag
        }
    }

    private func file(_ path: String) -> PageFile? {
        guard Self.isName(path), PageFile.type(of: path) != nil else { return nil }
        let written = path == GuideSources.path ? GuideSources.text(from: folder).map { Array($0.utf8) } : nil
        return (written ?? folder.bytes(of: path)).map { PageFile(path: path, bytes: $0) }
    }

    /// Whether a path can be that of a file: lower-case names that lead nowhere else.
    private static func isName(_ path: String) -> Bool {
        let isPlain = path.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "/.-_".utf8.contains(byte)
        }
        return isPlain && path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") }
    }
}
