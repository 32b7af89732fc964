// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import Foundation
import HearthBase

/// The files of the console and of the guide (CO-5 … CO-7), from the program itself or from a directory.
struct ConsolePages: Sendable {
    private static let largestFile = 4 << 20

    private let inside: [String: ConsoleResource]
    private let directory: String?

    /// - Parameter directory: Where files are read from with every request; nil for those inside the program.
    init(directory: String? = nil) {
        self.directory = directory
        inside = Dictionary(ConsoleResources.all.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
    }

    /// Answers GET and HEAD for a path below `/console/` or `/guide/`.
    ///
    /// - Parameter path: The path after the site's root, as sent.
    func answer(_ path: Substring, of site: PageSite, _ exchange: any HTTPExchange) {
        // The page reads its own path. Ids contain dots, so only a file that exists is one.
        guard let file = site.file(path).flatMap(file) ?? site.file("index.html").flatMap(file) else {
            return exchange.respond(
                text: "the console's files are not in \(directory ?? "this program")\n", status: 404)
        }
        let tag = "\"\(file.tag)\""
        var headers = RPCMetadata([("etag", tag), ("cache-control", "no-cache")])
        if let known = exchange.request.headers["if-none-match"], Self.names(known, tag) {
            // Without a length: that of the file is not meant.
            exchange.begin(status: 304, headers: headers)
            return exchange.end()
        }
        headers.append("content-type", ConsoleResource.type(of: file.path) ?? "application/octet-stream")
        exchange.respond(status: 200, headers: headers, body: file.bytes)
    }

    private static func names(_ known: String, _ tag: String) -> Bool {
        known.split(separator: ",").contains { part in
            let word = part.drop { $0 == " " }.prefix { $0 != " " }
            return word == "*" || (word.hasPrefix("W/") ? word.dropFirst(2) : word) == tag
        }
    }

    private func file(_ path: String) -> ConsoleResource? {
        guard Self.isName(path) else { return nil }
        guard let directory else { return inside[path] }
        guard ConsoleResource.type(of: path) != nil else { return nil }
        let place = directory + "/" + path
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: place, isDirectory: &isDirectory), !isDirectory.boolValue,
            let handle = FileHandle(forReadingAtPath: place), let data = try? handle.read(upToCount: Self.largestFile)
        else { return nil }
        let bytes = [UInt8](data)
        let digest = bytes.withUnsafeBytes { MD5.hash($0) }
        return ConsoleResource(path, tag: Base64.encodeForURL(digest.bytes), bytes: bytes)
    }

    /// Whether a path can be that of a file: lower-case names that lead nowhere else.
    private static func isName(_ path: String) -> Bool {
        let isPlain = path.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "/.-_".utf8.contains(byte)
        }
        return isPlain && path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") }
    }
}
