// SPDX-License-Identifier: Apache-2.0

/// Field masks of the admin API, as JSON writes them: `indexConfig,ttlConfig.expirationOffset`.
package enum AdminMask {
    /// The paths of a mask, in camel case.
    package static func paths(_ text: String) -> [String] {
        text.split(separator: ",").map { camelCase(String($0.filter { $0 != " " })) }.filter { !$0.isEmpty }
    }

    /// `update_mask` as JSON writes it: `updateMask`.
    static func camelCase(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "_")) else { return name }
        var result = ""
        var isNext = false
        for character in name {
            if character == "_" {
                isNext = true
            } else {
                result += isNext ? character.uppercased() : String(character)
                isNext = false
            }
        }
        return result
    }

    /// `updateMask` as messages write it: `update_mask`.
    static func snakeCase(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }
}
