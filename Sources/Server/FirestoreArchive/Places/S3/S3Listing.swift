// SPDX-License-Identifier: Apache-2.0

/// A page of a listing.
package struct S3Listing: Sendable {
    package let objects: [ArchiveObject]
    /// Continues the listing; nil if it is complete.
    package let continuation: String?

    /// nil if the answer is not a listing, or not a whole one.
    package init?(_ answer: [UInt8]) {
        guard let root = XMLReader.read(answer), root.name == "ListBucketResult", let isTruncated = root["IsTruncated"] else { return nil }
        var objects: [ArchiveObject] = []
        for entry in root.children where entry.name == "Contents" {
            guard let key = entry["Key"], let size = entry["Size"].flatMap({ Int($0) }), size >= 0 else { return nil }
            objects.append(ArchiveObject(name: key, size: size))
        }
        self.objects = objects
        switch isTruncated {
        case "false": continuation = nil
        case "true":
            guard let token = root["NextContinuationToken"], !token.isEmpty else { return nil }
            continuation = token
        default: return nil
        }
    }
}
