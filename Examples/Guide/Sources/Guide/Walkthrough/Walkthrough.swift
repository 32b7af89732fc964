// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

/// One section of the guide: does what the section describes, shows it, and checks it.
@MainActor
public protocol Chapter: SendableMetatype {
    static var title: String { get }
    static func tell(on page: Page) async throws
}

/// The guide from its first section to its last, then the same on real data.
@MainActor
public enum Walkthrough {
    nonisolated public static let chapters: [any Chapter.Type] = [
        ManualMappingChapter.self,
        WhatIsCodableChapter.self,
        SimpleTypesChapter.self,
        NestedTypesChapter.self,
        ArraysChapter.self,
        DocumentIDsChapter.self,
        DatesChapter.self,
        GeopointsChapter.self,
        EnumsChapter.self,
        CustomizingChapter.self,
        ColorsChapter.self,
        HandlingErrorsChapter.self,
        LiveUpdatesChapter.self,
        SigningInChapter.self,
        DisconnectedChapter.self,
        CitiesChapter.self,
        QuestionsChapter.self,
        PipelinesChapter.self,
        TypesFromDataChapter.self,
    ]

    /// Runs every chapter; one that throws is noted as a failure, and the next one starts.
    public static func run(on page: Page) async {
        for chapter in chapters { await run(chapter, on: page) }
    }

    public static func run(_ chapter: any Chapter.Type, on page: Page) async {
        page.chapter(chapter.title)
        do {
            try await chapter.tell(on: page)
        } catch {
            page.expect("the chapter ends without an error, not with \(error)", false)
        }
    }
}

extension Page {
    /// Shows a document as it is stored.
    @discardableResult
    func show(_ reference: DocumentReference) async throws -> [String: Any]? {
        let fields = try await reference.getDocument().data()
        stored(reference.path, fields)
        return fields
    }
}
