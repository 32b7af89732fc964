// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The components of a stored vector, in place.
///
/// Each takes eleven bytes: tag and length of the element, tag of the double, the double (`storage-format.md`). The
/// loop relies on that stride and checks it.
struct StoredVector {
    private let start: UnsafeRawPointer

    private static let stride = 11
    /// `0A 09 19`: an element of nine bytes, which is a double.
    private static let element: UInt32 = 0x19_09_0A
    private static let elementMask: UInt32 = 0xFF_FF_FF

    init?(_ components: UnsafeRawBufferPointer, dimension: Int) {
        guard components.count == dimension * Self.stride, let start = components.baseAddress else { return nil }
        self.start = start
    }

    /// Sums over all pairs of components; nil if the elements are not all doubles.
    ///
    /// Two sums of four lanes each: an addition need not wait for the previous one.
    @inline(__always)
    func fold<Sums: DistanceSums>(with wanted: [Double], _ type: Sums.Type) -> Sums? {
        wanted.withUnsafeBytes { bytes in
            var even = Sums()
            var odd = Sums()
            var damage: UInt32 = 0
            var index = 0
            let count = wanted.count
            while index &+ 8 <= count {
                even.add(four(index, &damage), Self.four(bytes, index))
                odd.add(four(index &+ 4, &damage), Self.four(bytes, index &+ 4))
                index &+= 8
            }
            while index < count {
                even.add(SIMD4(component(index, &damage), 0, 0, 0), SIMD4(wanted[index], 0, 0, 0))
                index &+= 1
            }
            return damage == 0 ? even + odd : nil
        }
    }

    /// Copies the components to `target`, which has room for all; false if the elements are not all doubles.
    func copy(to target: UnsafeMutableBufferPointer<Double>) -> Bool {
        var damage: UInt32 = 0
        var index = 0
        while index < target.count {
            target[index] = component(index, &damage)
            index &+= 1
        }
        return damage == 0
    }

    @inline(__always)
    private static func four(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> SIMD4<Double> {
        bytes.loadUnaligned(fromByteOffset: index &* MemoryLayout<Double>.stride, as: SIMD4<Double>.self)
    }

    @inline(__always)
    private func four(_ index: Int, _ damage: inout UInt32) -> SIMD4<Double> {
        SIMD4(
            component(index, &damage), component(index &+ 1, &damage), component(index &+ 2, &damage),
            component(index &+ 3, &damage))
    }

    @inline(__always)
    private func component(_ index: Int, _ damage: inout UInt32) -> Double {
        let place = start + index &* Self.stride
        damage |= (UInt32(littleEndian: place.loadUnaligned(as: UInt32.self)) & Self.elementMask) ^ Self.element
        return Double(bitPattern: UInt64(littleEndian: (place + 3).loadUnaligned(as: UInt64.self)))
    }
}
