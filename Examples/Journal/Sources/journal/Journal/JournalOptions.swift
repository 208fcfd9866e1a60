import ArgumentParser
import Foundation
import LockstepStore

/// Which journal a command is about.
struct JournalOptions: ParsableArguments {
    @Option(name: .customLong("journal"), help: "The journal's file; it is made if there is none.", completion: .file())
    var path = "journal.sqlite"

    func open() throws -> Store {
        try Store(JournalSchema.self, at: .file(URL(fileURLWithPath: path)))
    }
}
