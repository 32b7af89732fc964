// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// A credentials file in the format of Google's tools.
enum KeyFile {
    case serviceAccount(ServiceAccountKey)
    case authorizedUser(RefreshKey)

    private static let mostBytes = 1 << 20

    /// Messages name the file and the error, never the file's content.
    static func read(_ path: String) throws(FirestoreError) -> KeyFile {
        let json = try read(json: path)
        do throws(FirestoreError) {
            let type = try json.required("type").string()
            switch type {
            case "service_account": return .serviceAccount(try ServiceAccountKey(json))
            case "authorized_user": return .authorizedUser(try RefreshKey(json))
            default:
                throw .invalidArgument(
                    "credentials of the type \"\(type.prefix(60))\" are not supported; service_account and authorized_user are, "
                        + "and a closure can get tokens of any kind")
            }
        } catch {
            throw FirestoreError(
                error.code, "the key file cannot be used: " + (error.location.map { "\($0): " } ?? "") + error.message, at: path)
        }
    }

    /// The project of a service account; nil if the file does not name one or cannot be read.
    static func projectID(in path: String) -> String? {
        guard let json = try? read(json: path), let project = try? json.optional("project_id")?.string(), !project.isEmpty
        else { return nil }
        return project
    }

    private static func read(json path: String) throws(FirestoreError) -> JSONNode {
        guard FileManager.default.fileExists(atPath: path) else {
            throw FirestoreError(
                .failedPrecondition, "the key file does not exist; check settings.credentials or GOOGLE_APPLICATION_CREDENTIALS", at: path)
        }
        let data: Data
        do {
            guard let file = FileHandle(forReadingAtPath: path) else { throw CocoaError(.fileReadNoPermission) }
            data = try file.read(upToCount: mostBytes + 1) ?? Data()
        } catch {
            throw FirestoreError(.failedPrecondition, "the key file cannot be read; check its permissions", at: path)
        }
        guard data.count <= mostBytes, let json = try? JSON(data), case .object = json else {
            throw .invalidArgument("this is not a key file; give the JSON file that the Google Cloud console or gcloud wrote", at: path)
        }
        return JSONNode(json)
    }
}
