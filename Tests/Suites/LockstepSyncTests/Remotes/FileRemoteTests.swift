import Foundation
import LinkSamples
import LockstepStore
import LockstepSync
import OfflineTasks
import Shop
import Testing
import TestSupport

private typealias Errand = OfflineTasks.Task

@Suite("A JSON file as a server")
struct FileRemoteTests {
    private let tasks = RemoteEntity(Errand.self)

    private func withRemote(
        _ content: String?, _ body: (FileRemote, URL) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("remote.json")
            if let content { try Data(content.utf8).write(to: file) }
            try await body(FileRemote(file), file)
        }
    }

    private func json(_ file: URL) throws -> JSONValue { try JSONValue(json: Data(contentsOf: file)) }

    @Test("A task created offline gets a number, and can be fetched")
    func story() async throws {
        try await withRemote(#"{"tasks": [{"id": 4, "title": "Milk"}], "about": "a demo"}"#) { remote, file in
            let made = try await remote.send(.create(Errand.self, #"{"title":"Bread"}"#, key: "a"))
            #expect(made.text == #"accepted {"id":5,"title":"Bread"}, no version, 5"#)
            #expect(
                try await remote.fetch(RemoteRequest(entity: tasks)).text()
                    == #"[{"id":4,"title":"Milk"},{"id":5,"title":"Bread"}]"#)
            #expect(
                try await remote.fetch(RemoteRequest(entity: tasks, target: .record(["5"]))).text()
                    == #"{"id":5,"title":"Bread"}"#)
            let changed = try await remote.send(.update(Errand.self, [4], #"{"completed":true}"#))
            #expect(changed.text == #"accepted {"completed":true,"id":4,"title":"Milk"}, no version, no identity"#)
            #expect(try await remote.send(.delete(Errand.self, [5])).text.hasPrefix("accepted nothing"))
            #expect(
                try json(file) == ["tasks": [["id": 4, "title": "Milk", "completed": true]], "about": "a demo"])
        }
    }

    @Test("P10.1 A creation sent twice creates one record, even after a relaunch")
    func repeatedCreation() async throws {
        try await withRemote(#"{"tasks": []}"#) { remote, file in
            let change = OutgoingChange.create(Errand.self, #"{"title":"Bread"}"#, key: "a")
            _ = try await remote.send(change)
            #expect(
                try await FileRemote(file).send(change).text == #"accepted {"id":1,"title":"Bread"}, no version, 1"#)
            #expect(try json(file) == ["tasks": [["id": 1, "title": "Bread"]]])
            _ = try await remote.send(.create(Errand.self, #"{"title":"Bread"}"#, key: "b"))
            #expect(try json(file)["tasks"]?[1]?["id"] == 2)
        }
    }

    @Test("P10 An interrupted creation gets its reserved number, which no other creation uses")
    func interrupted() async throws {
        try await withRemote(#"{"tasks": []}"#) { remote, file in
            let keys = file.deletingLastPathComponent().appendingPathComponent(".remote.json.keys")
            // The line of the second one was cut off.
            try Data("[\"a\",\"tasks\",[1]]\n[\"b\",\"ta".utf8).write(to: keys)
            #expect(try await remote.send(.create(Errand.self, "{}", key: "b")).text.hasSuffix(" 2"))
            #expect(try await remote.send(.create(Errand.self, "{}", key: "a")).text.hasSuffix(" 1"))
            #expect(try await remote.send(.create(Errand.self, "{}", key: "b")).text.hasSuffix(" 2"))
            #expect(try json(file)["tasks"] == [["id": 2], ["id": 1]])
        }
    }

    @Test("F2 A link and a pipe in place of the keys are not opened", arguments: [true, false])
    func obstructedKeys(isLink: Bool) async throws {
        try await withRemote(#"{"tasks": []}"#) { remote, file in
            let folder = file.deletingLastPathComponent()
            let (keys, victim) = (folder.appendingPathComponent(".remote.json.keys"), folder.appending(path: "victim"))
            try Data("mine".utf8).write(to: victim)
            if isLink {
                try FileManager.default.createSymbolicLink(at: keys, withDestinationURL: victim)
            } else {
                try #require(mkfifo(keys.path, 0o600) == 0)
            }
            let error = try await syncError { try await remote.send(.create(Errand.self, "{}", key: "a")) }
            #expect(error.code == .network)
            #expect(try Data(contentsOf: victim) == Data("mine".utf8))
            #expect(try json(file) == ["tasks": []])
        }
    }

    @Test("F1 There is no number after the greatest one, in the keys or in the file", arguments: [true, false])
    func greatest(isKey: Bool) async throws {
        let most = #"[{"id": 9223372036854775807}]"#
        try await withRemote(#"{"tasks": \#(isKey ? "[]" : most)}"#) { remote, file in
            let keys = file.deletingLastPathComponent().appendingPathComponent(".remote.json.keys")
            if isKey { try Data("[\"a\",\"tasks\",[9223372036854775807]]\n".utf8).write(to: keys) }
            let error = try await syncError { try await remote.send(.create(Errand.self, "{}", key: "b")) }
            #expect(error.code == .malformed)
        }
    }

    @Test("Concurrent creations create one record each")
    func many() async throws {
        try await withRemote(#"{"tasks": []}"#) { _, file in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        _ = try await FileRemote(file).send(.create(Errand.self, "{}", key: "\(number % 10)"))
                    }
                }
                try await group.waitForAll()
            }
            guard case .array(let records)? = try json(file)["tasks"] else { return #expect(Bool(false)) }
            #expect(Set(records.compactMap { $0["id"] }) == Set((1...10).map { JSONValue.integer($0) }))
            #expect(records.count == 10)
        }
    }

    @Test("A bare list is a server of one entity")
    func bareList() async throws {
        try await withRemote(#"[{"id": 1}]"#) { remote, file in
            #expect(try await remote.fetch(RemoteRequest(entity: tasks)).text() == #"[{"id":1}]"#)
            _ = try await remote.send(.create(Errand.self, "{}"))
            #expect(try json(file) == [["id": 1], ["id": 2]])
        }
    }

    @Test("A record with an identity of its own is created under that identity, and never replaces another")
    func ownIdentity() async throws {
        try await withRemote("{}") { remote, file in
            let made = try await remote.send(.create(Lender.self, ["DE", 7], #"{"name":"A"}"#, key: "a"))
            #expect(made.text == #"accepted {"country":"DE","name":"A","number":7}, no version, DE_7"#)
            let again = try await remote.send(.create(Lender.self, ["DE", 7], #"{"name":"B"}"#, key: "b"))
            #expect(again.text.hasPrefix("refused 409"))
            #expect(try json(file)["lenders"]?[0]?["name"] == "A")
        }
    }

    @Test("Parameters filter by the members of the records")
    func query() async throws {
        try await withRemote(#"{"tasks": [{"id": 1, "list": 3}, {"id": 2, "list": 4}, {"id": 3}]}"#) { remote, _ in
            let query = [URLQueryItem(name: "list", value: "3"), URLQueryItem(name: "sort", value: "title")]
            let found = try await remote.fetch(RemoteRequest(entity: tasks, query: query)).text()
            #expect(found == #"[{"id":1,"list":3}]"#)
        }
    }

    @Test("P6 A missing record is absent; a missing file is not an empty server")
    func absent() async throws {
        try await withRemote(nil) { remote, file in
            #expect(try await remote.fetch(RemoteRequest(entity: tasks)).isAbsent)
            #expect(try await remote.send(.delete(Errand.self, [7])).text == "absent")
            #expect(!FileManager.default.fileExists(atPath: file.path))
            _ = try await remote.send(.create(Errand.self, "{}"))
            #expect(try json(file) == ["tasks": [["id": 1]]])
            #expect(try await remote.send(.update(Errand.self, [7], "{}")).text == "absent")
            #expect(try await remote.fetch(RemoteRequest(entity: tasks, target: .record([7]))).isAbsent)
            #expect(try await remote.fetch(RemoteRequest(entity: RemoteEntity(Article.self))).text() == "[]")
        }
    }

    @Test("A file that is not a server is unchanged", arguments: ["", "{", "7", #"{"tasks": {}}"#, "{} {}"])
    func malformed(_ content: String) async throws {
        try await withRemote(content) { remote, file in
            let read = try await syncError { try await remote.fetch(RemoteRequest(entity: tasks)) }
            let written = try await syncError { try await remote.send(.create(Errand.self, "{}")) }
            #expect(read.code == .malformed && written.code == .malformed)
            #expect(try String(contentsOf: file, encoding: .utf8) == content)
        }
    }

    @Test("A missing folder is an error that says so")
    func unwritable() async throws {
        try await withTemporaryFolder { folder in
            let remote = FileRemote(folder.appendingPathComponent("no/remote.json"))
            let error = try await syncError { try await remote.send(.create(Errand.self, "{}")) }
            #expect(error.code == .network && error.request == "remote.json")
        }
    }
}
