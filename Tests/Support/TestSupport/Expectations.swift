// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import Testing

/// Waits until a condition holds and records an issue if it never does.
///
/// The limit is two minutes and at least a hundred looks: on a starved machine a single look may come minutes late.
package func eventually(
    _ what: String, isolation: isolated (any Actor)? = #isolation, location: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async rethrows {
    let deadline = ContinuousClock.now + .seconds(120)
    var looks = 0
    while looks < 100 || ContinuousClock.now < deadline {
        if try await condition() { return }
        looks += 1
        try? await Task.sleep(for: .milliseconds(1))
    }
    Issue.record("never: \(what)", sourceLocation: location)
}

/// Expects a `FirestoreError` with this code, whose text contains these words.
package func expectError<R>(
    _ code: FirestoreError.Code, mentioning words: String..., isolation: isolated (any Actor)? = #isolation,
    location: SourceLocation = #_sourceLocation, _ body: () async throws -> R
) async {
    do {
        _ = try await body()
        Issue.record("expected \(code)", sourceLocation: location)
    } catch {
        check(error, code, mentioning: words, location)
    }
}

/// Expects a `FirestoreError` with this code, whose text contains these words, of a call that does not wait.
package func expectImmediateError<R>(
    _ code: FirestoreError.Code, mentioning words: String..., location: SourceLocation = #_sourceLocation,
    _ body: () throws -> R
) {
    do {
        _ = try body()
        Issue.record("expected \(code)", sourceLocation: location)
    } catch {
        check(error, code, mentioning: words, location)
    }
}

private func check(_ error: any Error, _ code: FirestoreError.Code, mentioning words: [String], _ location: SourceLocation) {
    guard let error = error as? FirestoreError else {
        Issue.record("unexpected \(error)", sourceLocation: location)
        return
    }
    #expect(error.code == code, "\(error)", sourceLocation: location)
    for word in words {
        #expect(error.description.contains(word), "\(error) lacks \(word)", sourceLocation: location)
    }
}
