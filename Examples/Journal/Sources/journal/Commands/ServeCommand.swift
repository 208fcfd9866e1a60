import ArgumentParser
import Foundation
import LockstepStore
import LockstepTesting

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs a local server until Ctrl-C, to try out syncing.",
        discussion: """
            The server works like a Firebase Realtime Database, for this machine only. It writes its entries to a file \
            when it stops.
            """)

    @Option(help: "The port to listen on, or 0 for any free port.") var port: UInt16 = 8080
    @Option(help: "The file that stores the entries.", completion: .file()) var data = "journal-server.json"

    func run() async throws {
        let file = URL(fileURLWithPath: data)
        let server = FakeFirebase()
        if FileManager.default.fileExists(atPath: file.path) {
            server.set(try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file)), at: "/")
        }
        do { try await server.listen(port: port) } catch { throw JournalError.noPort(port) }
        try write(server, to: file)
        print("The server is at \(server.url). Press Ctrl-C to stop it.")
        fflush(nil)  // so that a pipe gets it at once
        await Signals.end()
        await server.stop()
        try write(server, to: file)
        let count = server.records(of: "/entries").count
        print("\nThe server had \(count == 1 ? "1 entry" : "\(count) entries"), stored in \(data).")
    }

    private func write(_ server: FakeFirebase, to file: URL) throws {
        let json = try JSONEncoder().encode(server.value(at: "/"))
        do { try json.write(to: file, options: .atomic) } catch { throw JournalError.notWritable(data) }
    }
}
