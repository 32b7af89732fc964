// SPDX-License-Identifier: Apache-2.0
import NIOHPACK

/// Whether the fields of a message are well-formed (RFC 9113, section 8), and what they say about its length.
struct HTTP2Fields {
    /// The value of `content-length`.
    private(set) var length: Int?
    /// The three digits of `:status`.
    private(set) var status: Int?

    enum Message {
        case request
        case response
        case trailers
    }

    private enum Pseudo {
        static let method: UInt8 = 1
        static let scheme: UInt8 = 2
        static let path: UInt8 = 4
        static let authority: UInt8 = 8
        static let status: UInt8 = 16
    }

    /// nil if they are malformed.
    init?(_ fields: HPACKHeaders, of message: Message) {
        var seen: UInt8 = 0
        var isConnect = false
        var isPathEmpty = false
        var isRegular = false
        for (name, value, _) in fields {
            guard Self.isValue(value) else { return nil }
            if name.utf8.first == UInt8(ascii: ":") {
                guard !isRegular, let pseudo = Self.pseudo(name, in: message), seen & pseudo == 0 else { return nil }
                seen |= pseudo
                switch pseudo {
                case Pseudo.method: isConnect = value == "CONNECT"
                case Pseudo.path: isPathEmpty = value.isEmpty
                case Pseudo.status:
                    guard value.utf8.count == 3, let number = Int(value), number >= 100 else { return nil }
                    status = number
                default: break
                }
                continue
            }
            isRegular = true
            guard Self.isName(name), take(name, value) else { return nil }
        }
        switch message {
        case .request where isConnect: guard seen & (Pseudo.scheme | Pseudo.path) == 0 else { return nil }
        case .request:
            let needed = Pseudo.method | Pseudo.scheme | Pseudo.path
            guard seen & needed == needed, !isPathEmpty else { return nil }
        case .response: guard status != nil else { return nil }
        case .trailers: break
        }
    }

    private static func pseudo(_ name: String, in message: Message) -> UInt8? {
        switch (message, name) {
        case (.request, ":method"): Pseudo.method
        case (.request, ":scheme"): Pseudo.scheme
        case (.request, ":path"): Pseudo.path
        case (.request, ":authority"): Pseudo.authority
        case (.response, ":status"): Pseudo.status
        default: nil
        }
    }

    /// Fields of the connection belong to HTTP/1.1.
    private mutating func take(_ name: String, _ value: String) -> Bool {
        switch name.utf8.count {
        case 2 where name == "te": return value == "trailers"
        case 7 where name == "upgrade": return false
        case 10 where name == "connection" || name == "keep-alive": return false
        case 14 where name == "content-length":
            guard !value.isEmpty, value.utf8.allSatisfy({ $0 &- 0x30 <= 9 }), let number = Int(value), length ?? number == number else {
                return false
            }
            length = number
            return true
        case 16 where name == "proxy-connection": return false
        case 17 where name == "transfer-encoding": return false
        default: return true
        }
    }

    // MARK: Characters

    /// A token without capital letters.
    static func isName(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { bytes in !bytes.isEmpty && bytes.allSatisfy { isNameByte[Int($0)] } }
    }

    private static let isNameByte: [Bool] = (0...255).map { byte in
        switch UInt8(byte) {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case let byte: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// No line ends and no NUL, and no space at either end.
    static func isValue(_ value: String) -> Bool {
        var value = value
        return value.withUTF8 { bytes in
            guard let first = bytes.first, let last = bytes.last else { return true }
            guard !isSpace(first), !isSpace(last) else { return false }
            let raw = UnsafeRawBufferPointer(bytes)
            var index = 0
            // Bytes below 14 are rare. Eight bytes together: a borrow sets the highest bit of a byte that is smaller, or follows one.
            while index + 8 <= raw.count {
                let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                if (word &- 0x0E0E_0E0E_0E0E_0E0E) & ~word & 0x8080_8080_8080_8080 != 0,
                    !raw[index..<index + 8].allSatisfy(isValueByte)
                {
                    return false
                }
                index += 8
            }
            return raw[index...].allSatisfy(isValueByte)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    private static func isValueByte(_ byte: UInt8) -> Bool { byte != 0 && byte != 0x0A && byte != 0x0D }
}
