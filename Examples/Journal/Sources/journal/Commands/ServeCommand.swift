import ArgumentParser
import Foundation
import LockstepStore
import LockstepTesting

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs a server on this machine until Ctrl-C, for trying out sync.",
        discussion: """
            It speaks as a Firebase Realtime Database does, to this machine only. It writes what it has to its file when it is \
            ended.
            """)

    @Option(help: "The port to listen on; 0 for any that is free.") var port: UInt16 = 8080
    @Option(help: "The file that it keeps the entries in.", completion: .file()) var data = "journal-server.json"

    func run() async throws {
        let file = URL(fileURLWithPath: data)
        let server = FakeFirebase()
        if FileManager.default.fileExists(atPath: file.path) {
            server.set(try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file)), at: "/")
        }
        do { try await server.listen(port: port) } catch { throw JournalError.noPort(port) }
        try write(server, to: file)
        print("The server is at \(server.url). Ctrl-C ends it.")
        fflush(nil)  // also into a pipe, at once
        await Signals.end()
        await server.stop()
        try write(server, to: file)
        let count = server.records(of: "/entries").count
        print("\nThe server had \(count == 1 ? "1 entry" : "\(count) entries"), kept in \(data).")
    }

    private func write(_ server: FakeFirebase, to file: URL) throws {
        let json = try JSONEncoder().encode(server.value(at: "/"))
        do { try json.write(to: file, options: .atomic) } catch { throw JournalError.notWritable(data) }
    }
}
