// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A sketch of the vectors of a collection, and what has changed since it was made.
package struct SketchedVectors: Sendable {
    package let sketch: VectorSketch
    /// Everything that was committed until then is in the sketch or among `changed`.
    package var time: DocumentVersion
    /// The ids of the documents that the sketch does not have as they are now.
    package var changed: Set<String>

    package init(_ sketch: VectorSketch, time: DocumentVersion, changed: Set<String> = []) {
        self.sketch = sketch
        self.time = time
        self.changed = changed
    }

    /// Whether making the sketch again costs less than what has changed will.
    package var isOutdated: Bool { changed.count > 256 + sketch.count / 64 }
}
