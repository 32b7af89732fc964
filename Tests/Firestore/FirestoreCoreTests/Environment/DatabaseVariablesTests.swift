// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@Suite struct DatabaseVariablesTests {
    typealias Place = DatabaseVariables.Place
    typealias Credentials = DatabaseVariables.Credentials

    static let emulator = ["FIRESTORE_EMULATOR_HOST": "h:1"]
    static let keyFile = ["GOOGLE_APPLICATION_CREDENTIALS": "k.json"]
    static let file = ["HEARTH_DATABASE": "d.sqlite"]

    /// Every set of variables: the location without credentials of settings and options, with Google's, with others.
    static let rows: [(variables: [[String: String]], unspecified: Place?, google: Place?, other: Place?)] = [
        ([], nil, .cloud, nil),
        ([file], .file(path: "d.sqlite"), .cloud, .file(path: "d.sqlite")),
        ([keyFile], .cloud, .cloud, nil),
        ([keyFile, file], .cloud, .cloud, .file(path: "d.sqlite")),
        ([emulator], .server(address: "h:1"), .server(address: "h:1"), .server(address: "h:1")),
        ([emulator, file], .server(address: "h:1"), .server(address: "h:1"), .server(address: "h:1")),
        ([emulator, keyFile], .server(address: "h:1"), .server(address: "h:1"), .server(address: "h:1")),
        ([emulator, keyFile, file], .server(address: "h:1"), .server(address: "h:1"), .server(address: "h:1")),
    ]

    @Test(arguments: rows.indices) func `an emulator before credentials before a file`(index: Int) {
        let row = Self.rows[index]
        // A project does not name a location, and neither does a variable that is set to nothing.
        let names = ["FIRESTORE_EMULATOR_HOST", "GOOGLE_APPLICATION_CREDENTIALS", "HEARTH_DATABASE"]
        for others in [[:], ["GOOGLE_CLOUD_PROJECT": "p"], Dictionary(uniqueKeysWithValues: names.map { ($0, "") })] {
            let variables = DatabaseVariables(row.variables.reduce(into: others) { $0.merge($1) { $1 } })
            for credentials in Credentials.allCases {
                let expected =
                    switch credentials {
                    case .unspecified: row.unspecified
                    case .google: row.google
                    case .other: row.other
                    }
                #expect(variables.place(with: credentials) == expected, "\(row.variables) \(others) \(credentials)")
            }
        }
    }

    static let projects: [([String: String], String?)] = [
        ([:], nil),
        (["GOOGLE_CLOUD_PROJECT": "a", "GCLOUD_PROJECT": "b", "FIREBASE_PROJECT_ID": "c"], "a"),
        (["GCLOUD_PROJECT": "b", "FIREBASE_PROJECT_ID": "c"], "b"),
        (["FIREBASE_PROJECT_ID": "c"], "c"),
        (["GOOGLE_CLOUD_PROJECT": "", "GCLOUD_PROJECT": "", "FIREBASE_PROJECT_ID": "c"], "c"),
        (["GOOGLE_CLOUD_PROJECT": ""], nil),
    ]

    @Test(arguments: projects.indices) func `the first variable that is set names the project`(index: Int) {
        let (variables, project) = Self.projects[index]
        #expect(DatabaseVariables(variables).project == project)
    }
}
