// SPDX-License-Identifier: Apache-2.0
/// A method that conditions are asked for. `read` and `write` are groups of them (SR-20).
enum RulesMethod: String, Sendable, CaseIterable {
    case get, list, create, update, delete
}
