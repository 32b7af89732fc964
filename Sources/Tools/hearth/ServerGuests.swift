// SPDX-License-Identifier: Apache-2.0
/// The guests of this server. Each is checked, opened and joined in this order.
enum ServerGuests {
    static let all: [any ServerGuest.Type] = [
        NodesGuest.self,
        ArchiveGuest.self,
        SecurityGuest.self,
        AccountsGuest.self,
        QuotasGuest.self,
        InsightsGuest.self,
        EventsGuest.self,
        AdminGuest.self,
        ExpiryGuest.self,
        ConsoleGuest.self,
    ]
}
