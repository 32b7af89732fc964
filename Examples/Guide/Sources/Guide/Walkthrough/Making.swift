// SPDX-License-Identifier: Apache-2.0
import CoreLocation
import SwiftUI

// The sections are written as in an app, whose types are all in one module. What the other modules of this package need of them is here.

extension DatesAndTimes.Article {
    package static func titled(_ title: String) -> Self { Self(title: title) }
}

extension ColorEntry {
    package static func named(_ name: String, hex: String) -> Self { Self(name: name, color: Color(hex: hex)) }
}

extension Office {
    package var place: CLLocationCoordinate2D { coordinate }
}
