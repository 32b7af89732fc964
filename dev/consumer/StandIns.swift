// SPDX-License-Identifier: Apache-2.0

// What Linux lacks of Combine, as small as the snippets allow.

protocol ObservableObject: AnyObject {}

@propertyWrapper
struct Published<Value> {
    var wrappedValue: Value
}
