/// Objects that `FirebaseDataEncoder` and `FirebaseDataDecoder` carry untouched: they have no form as bytes, so the bytes
/// name them by number.
final class StructureObjects {
    private var objects: [Any] = []

    func add(_ object: Any) -> String {
        objects.append(object)
        return String(objects.count - 1)
    }

    subscript(name: String) -> Any? {
        guard let index = Int(name), objects.indices.contains(index) else { return nil }
        return objects[index]
    }
}
