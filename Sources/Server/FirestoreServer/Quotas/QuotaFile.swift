// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// A file of quotas: `{"user": {"reads": {"minute": 1000, "day": 100000}}, "database": {"bytes": 10000000000}}`.
package enum QuotaFile {
    /// Something in the file cannot be used.
    package struct Mistake: Error, CustomStringConvertible {
        package let path: String
        package let line: Int
        package let message: String

        package var description: String { "\(path):\(line): \(message)" }
    }

    /// Larger numbers are mistakes, or no limits. Those of a minute are multiplied by its microseconds.
    private static let greatest: Int64 = 1_000_000_000_000_000
    private static let greatestOfMinute: Int64 = 10_000_000_000

    package static func read(_ path: String) throws(Mistake) -> QuotaLimits {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Mistake(path: path, line: 1, message: "the file of quotas does not exist or cannot be read")
        }
        return try limits([UInt8](data), path: path)
    }

    /// - Parameter path: For messages.
    package static func limits(_ text: [UInt8], path: String) throws(Mistake) -> QuotaLimits {
        let json: JSON
        do throws(FirestoreError) {
            json = try JSON(text)
        } catch {
            let byte = error.location.flatMap { Int($0.dropFirst("byte ".count)) } ?? 0
            throw Mistake(path: path, line: JSONTextLines.line(ofByte: byte, in: text), message: error.message)
        }
        do throws(FirestoreError) {
            return try limits(JSONNode(json))
        } catch {
            throw Mistake(
                path: path, line: JSONTextLines(text).line(of: error.location ?? ""),
                message: error.location.map { $0.isEmpty ? error.message : "\($0): \(error.message)" } ?? error.message)
        }
    }

    private static func limits(_ root: JSONNode) throws(FirestoreError) -> QuotaLimits {
        try root.allow(only: "user", "anonymous", "database", "project")
        var limits = QuotaLimits()
        if let node = try root.optional("user") {
            try node.allow(only: "reads", "writes", "writtenBytes", "listeners")
            limits.user = try share(node)
        }
        if let node = try root.optional("anonymous") {
            try node.allow(only: "reads", "writes", "writtenBytes", "listeners")
            limits.anonymous = try share(node)
        }
        if let node = try root.optional("database") {
            try node.allow(only: "reads", "writes", "writtenBytes", "listeners", "bytes")
            limits.database = try share(node)
            limits.databaseBytes = try node.optional("bytes").map { (node) throws(FirestoreError) in try number(node) }
        }
        if let node = try root.optional("project") {
            try node.allow(only: "databases")
            limits.databasesPerProject = try node.optional("databases").map { (node) throws(FirestoreError) in Int(try number(node)) }
        }
        return limits
    }

    private static func share(_ node: JSONNode) throws(FirestoreError) -> QuotaLimits.Share {
        var share = QuotaLimits.Share()
        if let rate = try node.optional("reads") { share.reads = try self.rate(rate) }
        if let rate = try node.optional("writes") { share.writes = try self.rate(rate) }
        if let rate = try node.optional("writtenBytes") { share.writtenBytes = try self.rate(rate) }
        share.listeners = try node.optional("listeners").map { (node) throws(FirestoreError) in Int(try number(node)) }
        return share
    }

    private static func rate(_ node: JSONNode) throws(FirestoreError) -> QuotaLimits.Rate {
        try node.allow(only: "minute", "day")
        let rate = QuotaLimits.Rate(
            minute: try node.optional("minute").map { (node) throws(FirestoreError) in try number(node, upTo: greatestOfMinute) },
            day: try node.optional("day").map { (node) throws(FirestoreError) in try number(node) })
        if let minute = rate.minute, let day = rate.day, day < minute {
            throw node.failure("a day may not have less than a minute: \(day) < \(minute)")
        }
        return rate
    }

    private static func number(_ node: JSONNode, upTo greatest: Int64 = greatest) throws(FirestoreError) -> Int64 {
        let number = try node.integer()
        guard (0...greatest).contains(number) else {
            throw node.failure("a number from 0 to \(greatest) is expected; leave it out for no limit")
        }
        return number
    }
}
