// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreServer
import FirestoreWire

extension ConsoleRequestRecord {
    /// The entry of the request stream.
    func json(caller: RequestContext.Caller?, showsValues: Bool) -> JSON {
        let figures = figures
        let outline = outline(showsValues: showsValues)
        var members: [(name: String, value: JSON)] = [
            ("id", .number(id)), ("time", .string(TimestampValue(microsecondsSince1970: time).text)), ("method", .string(method.rawValue)),
            ("path", .string(outline.path)), ("database", .string(outline.database)),
        ]
        if let caller { members.append(("caller", .string(caller.consoleName))) }
        members += [
            ("transport", .string(transport.rawValue)), ("code", .string(figures.code.canonicalName)),
            ("message", .string(Self.shown(figures.message))), ("duration", .number(Self.seconds(figures.duration))),
            ("documents", .number(figures.documents)), ("received", .number(figures.received)), ("sent", .number(figures.sent)),
        ]
        if showsValues, let request, let json = try? method.requestJSON(request) { members.append(("request", json)) }
        if method == .listen { members.append(("snapshots", .number(figures.snapshots))) }
        members.append(("open", .boolean(figures.isOpen)))
        if let decision { members.append(("decision", decision)) }
        return .object(members)
    }

    /// The first line: further ones explain decisions, which the entry does itself.
    private static func shown(_ message: String) -> String {
        String(decoding: message.utf8.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// With six digits, and without an exponent.
    private static func seconds(_ nanoseconds: UInt64) -> String {
        let microseconds = (nanoseconds + 500) / 1_000
        let fraction = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
    }
}

extension RequestContext.Caller {
    /// As the console names callers.
    var consoleName: String {
        switch self {
        case .administrator: "administrator"
        case .anonymous: "anonymous"
        case .user(let id, _): "user:" + id
        }
    }
}
