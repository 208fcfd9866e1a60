import Foundation
import LockstepSystem
import ServerTestSupport
import TestSupport

/// Two devices sync with a PostgreSQL server that is generated from a schema, and one of them and the server are killed
/// in between: `workbench server-demo`. All files are in a folder, which is removed at the end, also after Ctrl-C.
///
/// `workbench server-demo phone FOLDER NAMESPACE` is the process of the device that is killed.
struct ServerDemo {
    static func main(_ arguments: ArraySlice<String>) async {
        // Statements are written to sessions of a server that was killed.
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(arguments)
        let ending = DemoEnding()
        do {
            if arguments.count == 3, arguments[0] == "phone" {
                try await DemoDevice.pushAndDie(in: arguments[1], namespace: arguments[2])
            } else {
                ending.watchSignals()
                try await ServerDemoStory(ending: ending).tell()
            }
        } catch {
            ending.exit(1, saying: "server-demo: \(error)\n")
        }
        ending.exit(0)
    }
}

/// The one way to end the demo: a server that is being started is running when the process ends, so that it is stopped.
final class DemoEnding: Sendable {
    private let queue = DispatchQueue(label: "server-demo")
    private let sources = Locked<[any DispatchSourceSignal]>([])
    private let child = Locked<ChildProcess?>(nil)

    /// Ends the process when it is asked to: by Ctrl-C, by `kill`, or because its terminal was closed.
    func watchSignals() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [child] in
                child.withLock { $0?.kill() }
                // The status that a shell expects; what was started is stopped by then.
                Foundation.exit(128 + number)
            }
            source.resume()
            sources.withLock { $0.append(source) }
        }
    }

    /// Executes a closure. If the process is asked to end in the meantime, it ends afterwards.
    func deferred<Value>(_ body: () throws -> Value) rethrows -> Value { try queue.sync(execute: body) }

    /// Starts a program of this package that ends with the process.
    func start(_ program: String, _ arguments: [String]) throws -> ChildProcess {
        try deferred {
            let process = try ChildProcess(program, arguments)
            child.withLock { $0 = process }
            return process
        }
    }

    /// Ends the process. If it has received a signal before, no error is printed.
    func exit(_ status: Int32, saying message: String = "") -> Never {
        deferred {
            FileHandle.standardError.write(Data(message.utf8))
            Foundation.exit(status)
        }
    }
}
