// SPDX-License-Identifier: Apache-2.0
package import Dispatch

/// Carries a closure of the app developer to the queue on which it is called.
///
/// Public closure parameters are not `@Sendable`: annotating them breaks view models that capture `self`
/// (docs/decisions/0006).
///
/// `@unchecked Sendable`: the closure is handed over when the method is called, Hearth does not access it in between,
/// and it is called only on the queue the developer chose in the settings, the main queue by default. The documentation
/// promises exactly that; a closure without `@Sendable` cannot be promised more.
package struct UserCallback<Argument>: @unchecked Sendable {
    private let body: (Argument) -> Void

    package init(_ body: @escaping (Argument) -> Void) { self.body = body }

    /// Calls the closure; only from the queue of the settings.
    package func callAsFunction(_ argument: Argument) { body(argument) }
}

extension UserCallback where Argument: Sendable {
    package func call(on queue: DispatchQueue, _ argument: Argument) {
        queue.async { body(argument) }
    }
}
