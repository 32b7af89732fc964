// SPDX-License-Identifier: Apache-2.0

/// Marks a property wrapper that is skipped on encoding, and decoded without a lookup of its key, as `@DocumentID` is.
public protocol StructureCodingUncodedUnkeyed {}
