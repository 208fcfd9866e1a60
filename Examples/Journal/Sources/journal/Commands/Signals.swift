import Dispatch
import Foundation

enum Signals {
    /// Returns when the process is asked to terminate: by Ctrl-C, by `kill`, or because its terminal was closed.
    static func end() async {
        let (ends, continuation) = AsyncStream<Never>.makeStream()
        let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { continuation.finish() }
            source.resume()
            return source
        }
        for await _ in ends {}
        for source in sources { source.cancel() }
    }
}
