// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// A file like `~/.aws/credentials`: sections in brackets, lines of a name, an equals sign and a value.
struct S3CredentialsFile {
    static let maximumBytes = 64 << 10

    let path: String
    let profile: String

    /// The credentials of the profile. Errors do not contain anything of the file but names of sections.
    func read() throws(FirestoreError) -> S3Credentials {
        let bytes = try PrivateFile(path, kind: "credentials file", maximumBytes: Self.maximumBytes).read()
        let fields = try fields(in: String(decoding: bytes, as: UTF8.self))
        guard let key = fields["aws_access_key_id"], let secret = fields["aws_secret_access_key"], !key.isEmpty, !secret.isEmpty else {
            throw FirestoreError(
                .failedPrecondition,
                "the section [\(profile)] must have the lines aws_access_key_id = … and aws_secret_access_key = …", at: path)
        }
        let token = fields["aws_session_token"].flatMap { $0.isEmpty ? nil : $0 }
        return S3Credentials(accessKeyID: key, secretAccessKey: secret, sessionToken: token)
    }

    /// The lines of the profile's section, names in lower case.
    private func fields(in text: String) throws(FirestoreError) -> [String: String] {
        var sections: [String] = []
        var fields: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let line = Self.trimmed(line)
            if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
            if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
                sections.append(Self.trimmed(line[line.index(after: line.startIndex)..<end]))
            } else if sections.last == profile, let sign = line.firstIndex(of: "=") {
                fields[Self.trimmed(line[..<sign]).lowercased()] = Self.trimmed(line[line.index(after: sign)...])
            }
        }
        guard sections.contains(profile) else {
            let names = sections.isEmpty ? "it has no sections" : "it has [\(sections.prefix(10).joined(separator: "], ["))]"
            throw FirestoreError(.failedPrecondition, "the credentials file has no section [\(profile)]; \(names)", at: path)
        }
        return fields
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
