// SPDX-License-Identifier: Apache-2.0
import Combine
import FirebaseFirestore
import Foundation
import Guide

/// The section about errors in live updates: its view model listens, and what it shows is reported.
@MainActor
final class ColorsSection {
    private let model = MappingColorsViewModel()
    private var subscription: AnyCancellable?
    private var added = 0

    func start(_ report: Report) {
        subscription = model.$colorEntries.dropFirst().sink { [model] entries in
            MainActor.assumeIsolated {
                // The list is set last: the message belongs to it.
                var fields: [String: Any] = ["value": SwiftListing.describe(entries, width: Report.width)]
                if let message = model.errorMessage { fields["error"] = message }
                report.write(fields)
            }
        }
        model.subscribe()
    }

    /// Adds a colour with the section's own code.
    func add() {
        let names = [("Plum", "#6b3a6e"), ("Sand", "#d9c08c"), ("Teal", "#008080"), ("Rust", "#8b3a1a")]
        let (name, hex) = names[added % names.count]
        added += 1
        model.newColor = .named(name, hex: hex)
        model.addColorEntry()
    }
}
