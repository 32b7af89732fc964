// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreRemote
import FirestoreServer

extension Place {
    /// What a server says about its projects.
    enum ServerProjects: Equatable {
        case known([String])
        /// It is no server of Hearth, an earlier one, or does not show them to this caller.
        case unknown
    }

    /// The place with a project: a server without `--project` is asked for its own.
    ///
    /// - Parameter writes: Whether the command changes the database: then it says which project it uses, unless that was named.
    func withProject(writes: Bool) async throws(FirestoreError) -> Place {
        guard case .server = kind, projectID == nil else { return self }
        var place = self
        let (project, note) = try Self.choose(await serverProjects())
        place.projectID = project
        if writes, let note { StandardError.say(note) }
        return place
    }

    /// The project, and what a command that writes says about it.
    static func choose(_ projects: ServerProjects) throws(FirestoreError) -> (project: String, note: String?) {
        let usual = DatabaseID.fallbackProject
        switch projects {
        case .unknown: return (usual, "using the project \(usual): the server does not say which one it has; name it with --project")
        case .known(let all) where all.isEmpty: return (usual, nil)
        case .known(let all) where all.count == 1: return (all[0], all[0] == usual ? nil : "using the project \(all[0]) of the server")
        case .known(let all) where all.contains(usual): return (usual, "using the project \(usual); the server has others, too (--project)")
        case .known(let all):
            let names = all.prefix(5).joined(separator: ", ") + (all.count > 5 ? ", …" : "")
            throw .invalidArgument("the server has the projects \(names); name one of them with --project")
        }
    }

    private func serverProjects() async throws(FirestoreError) -> ServerProjects {
        guard let (server, token) = try endpoint() else { return .unknown }
        // The command itself says what is wrong with a token without TLS.
        if !server.keepsSecrets, tokenFile != nil { return .unknown }
        var question = HTTPQuestion(
            usesTLS: server.usesTLS, host: server.host, port: server.port, target: "/hearth/v1/projects",
            header: ("Authorization", "Bearer \(token ?? "")"))
        question.trustFile = server.trustFile
        // A server that does not answer is reported by the command itself.
        guard let answer = try? await HTTPFetch.run(question, patience: .seconds(10)), answer.status == 200,
            let elements = (try? JSON(answer.body)).map({ $0.elements("projects") })
        else { return .unknown }
        return .known(elements.compactMap { if case .string(let name) = $0 { name } else { nil } })
    }
}
