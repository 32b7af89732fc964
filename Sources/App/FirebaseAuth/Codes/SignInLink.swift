// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The links in e-mail messages. The code stands in the query, or in that of a link inside it.
enum SignInLink {
    /// The code of a link that signs in.
    static func code(in link: String) throws(AuthFailure) -> String {
        guard let query = query(of: link), let code = query["oobCode"], !code.isEmpty else {
            throw AuthFailure(.invalidActionCode, "the link contains no code; pass the whole link of the e-mail message")
        }
        return code
    }

    static func signsIn(_ link: String) -> Bool {
        guard let query = query(of: link) else { return false }
        return query["mode"] == "signIn" && query["oobCode"]?.isEmpty == false
    }

    /// The query of the link, or of the link that is the value of `link` or `deep_link_id` in it.
    private static func query(of link: String, depth: Int = 0) -> [String: String]? {
        guard let items = URLComponents(string: link)?.queryItems else { return nil }
        let query = Dictionary(items.compactMap { item in item.value.map { (item.name, $0) } }, uniquingKeysWith: { first, _ in first })
        if query["oobCode"] != nil || depth == 2 { return query }
        for name in ["link", "deep_link_id"] {
            if let inner = query[name], let found = Self.query(of: inner, depth: depth + 1), found["oobCode"] != nil { return found }
        }
        return query
    }
}
