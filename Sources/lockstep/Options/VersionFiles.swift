import Foundation
import LockstepEvolution
import LockstepGenerator
import LockstepSchema

/// Writes a history, and the version of its schema.
struct VersionFiles {
    private let history: String
    private let schema: String

    init(besideSchema path: String) {
        schema = path
        history = HistoryFile.path(besideSchema: path)
    }

    /// Writes both files. If one of them cannot be written, both stay as they were.
    ///
    /// - Parameter source: The schema as it was read, and the new bytes if it changes.
    func write(_ history: SchemaHistory, schema source: SchemaSource, changed bytes: [UInt8]?) throws {
        try checkReads(history)
        let historyFile = try NewFile(self.history, bytes: Array(history.yaml.utf8))
        guard let bytes else { return try historyFile.replace() }
        let schemaFile = try NewFile(schema, bytes: bytes)
        guard try SchemaFiles.source(at: schema).allBytes == source.allBytes else {
            throw UsageFailure(
                message: "'\(schema)' has changed in the meantime. Nothing was written. Run the command again.")
        }
        try schemaFile.replace()
        do {
            // Last: until it is written, the version is not recorded.
            try historyFile.replace()
        } catch {
            try NewFile(schema, bytes: source.bytes).replace()
            throw error
        }
    }

    /// Reads the history that is written again, before it replaces anything.
    private func checkReads(_ history: SchemaHistory) throws {
        var diagnostics: [Diagnostic] = []
        let source = SchemaSource(path: self.history, bytes: Array(history.yaml.utf8))
        guard readHistory(source, diagnostics: &diagnostics) == history else {
            throw UnreadableHistory(messages: diagnostics.map(\.message))
        }
    }

    /// Returns a summary of the written files, for the end of a command.
    func summary(version: Int, isRaised: Bool) -> TerminalText {
        "Written: \(history)" + (isRaised ? ", version: \(version) in \(schema)" : "")
    }
}

/// A history that is not the same after it was written and read: a bug.
private struct UnreadableHistory: Error, CustomStringConvertible {
    var messages: [String]

    var description: String {
        "The new history is not the same when it is read: \(messages.joined(separator: "; ")). Nothing was written."
    }
}

/// A file that is complete on the disk before it replaces another one.
private final class NewFile {
    private let path: String
    private let temporary: String

    /// Throws ``UsageFailure`` if it cannot be written.
    init(_ path: String, bytes: [UInt8]) throws {
        // A link stays a link.
        self.path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        temporary = self.path + ".lockstep-new"
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: temporary))
            if let permissions = try? FileManager.default.attributesOfItem(atPath: self.path)[.posixPermissions] {
                try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: temporary)
            }
        } catch {
            throw UsageFailure(message: "'\(path)' cannot be written: \(error.localizedDescription)")
        }
    }

    deinit {
        // A file only: a folder of this name is somebody else's.
        unlink(temporary)
    }

    func replace() throws {
        guard rename(temporary, path) == 0 else {
            let reason = String(cString: strerror(errno))
            throw UsageFailure(message: "'\(path)' cannot be written: \(reason). Fix it, and run the command again.")
        }
    }
}
