/// Marks a property wrapper that is skipped on encoding and decoded without looking up its key, as `@DocumentID` is.
public protocol StructureCodingUncodedUnkeyed {}
