import ArgumentParser
import Foundation
import LockstepStore

/// The journal of a command.
struct JournalOptions: ParsableArguments {
    @Option(name: .customLong("journal"), help: "The journal's file, created if needed.", completion: .file())
    var path = "journal.sqlite"

    func open() throws -> Store {
        try Store(JournalSchema.self, at: .file(URL(fileURLWithPath: path)))
    }
}
