// SPDX-License-Identifier: Apache-2.0

/// Stand-ins for what the guide's snippets use and Linux does not have: Combine's `ObservableObject` and `@Published`,
/// SwiftUI's `Color`, CoreLocation's coordinate.
protocol ObservableObject: AnyObject {}

@propertyWrapper
struct Published<Value> {
    var wrappedValue: Value

    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

struct Color: Hashable {
    enum ColorSpace { case sRGB }

    var red: Double
    var green: Double
    var blue: Double
    var opacity: Double

    init(_ space: ColorSpace, red: Double, green: Double, blue: Double, opacity: Double) {
        self.red = red
        self.green = green
        self.blue = blue
        self.opacity = opacity
    }
}

struct CLLocationCoordinate2D: Equatable {
    var latitude: Double
    var longitude: Double
}
