// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A list of numbers that Firestore stores as a vector.
public final class VectorValue: NSObject, Sendable {
    /// The components.
    public let array: [Double]

    /// Creates a vector with the components of an array.
    public init(_ array: [Double]) {
        self.array = array
        super.init()
    }

    /// Equal when all components are.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? VectorValue)?.array == array
    }

    /// Combines all components.
    public override var hash: Int { array.hashValue }

    /// The components, readable.
    public override var description: String { "<VectorValue: \(array)>" }
}
