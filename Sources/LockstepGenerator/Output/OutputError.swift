/// Why the output folder could not be read or written. Each file is the old or the new one; the next run writes the
/// rest.
package struct OutputError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        case cannotRead, cannotWrite, cannotRemove
        /// A folder exists where a file should be written, or a file where a folder should be.
        case inTheWay
        /// A symbolic link leads out of the schema's folder.
        case linkInTheWay
        /// A path outside the output folder, or two files with the same path.
        case badPath
        /// An earlier run used a newer version of lockstep.
        case newerManifest
        /// The plan has conflicts, and was not forced.
        case conflicts
        /// The disk has changed since the plan was made.
        case changedMeanwhile
        /// Another process writes to the folder, and the file system does not support locks to wait for; or a process
        /// was killed there.
        case busy
    }

    package var code: Code
    /// The path in the form that the user knows.
    package var path: String
    /// The problem, as a clause: `is a folder, and a file should go there`.
    package var problem: String
    /// The remedy, as a sentence.
    package var remedy: String

    package var description: String { "\(path) \(problem). \(remedy)" }

    package init(code: Code, path: String, problem: String, remedy: String) {
        self.code = code
        self.path = path
        self.problem = problem
        self.remedy = remedy
    }
}

extension OutputError {
    static func badPath(_ path: String) -> OutputError {
        OutputError(
            code: .badPath, path: path, problem: "is not a path inside the output folder",
            remedy: "Rename the schema or its entities."
        )
    }

    static func newerManifest(_ path: String, version: Int) -> OutputError {
        OutputError(
            code: .newerManifest, path: path,
            problem: "was written by a newer version of lockstep (version \(version) of manifests)",
            remedy: "Use that version, or remove the file and run again with --force."
        )
    }

    static func linkInTheWay(_ path: String) -> OutputError {
        OutputError(
            code: .linkInTheWay, path: path, problem: "is a symbolic link, and generated files should go below it",
            remedy: "Remove the link, or choose another folder with --output."
        )
    }

    static func linkToNothing(_ path: String) -> OutputError {
        OutputError(
            code: .linkInTheWay, path: path, problem: "is a symbolic link to a folder that does not exist",
            remedy: "Create that folder, or remove the link."
        )
    }

    static func folderInTheWay(_ path: String) -> OutputError {
        OutputError(
            code: .inTheWay, path: path, problem: "is a folder, and a generated file should go there",
            remedy: "Move or remove the folder."
        )
    }

    static func partInTheWay(_ path: String) -> OutputError {
        OutputError(
            code: .inTheWay, path: path, problem: "is not a file, and files are written there before they are moved",
            remedy: "Move or remove it."
        )
    }

    static func fileInTheWay(_ path: String) -> OutputError {
        OutputError(
            code: .inTheWay, path: path, problem: "cannot be written: a component of its path is a file, not a folder",
            remedy: "Move or remove that file, or choose another folder with --output."
        )
    }

    static func appeared(_ path: String) -> OutputError {
        OutputError(
            code: .changedMeanwhile, path: path, problem: "appeared while lockstep was running", remedy: "Run it again."
        )
    }

    static func busy(_ path: String) -> OutputError {
        OutputError(
            code: .busy, path: path, problem: "is being written by another lockstep process, or one was killed",
            remedy: "Run it again when that process has ended. If there is none, remove the file."
        )
    }

    static func conflicts(_ conflicts: [OutputConflict]) -> OutputError {
        let others = conflicts.count > 1 ? " (and \(conflicts.count - 1) more)" : ""
        return OutputError(
            code: .conflicts, path: conflicts.first?.path ?? "",
            problem: (conflicts.first?.problem ?? "is in conflict") + others, remedy: conflicts.first?.remedy ?? ""
        )
    }

    /// The user-facing error for an `errno`.
    static func system(_ code: Code, at path: String, failure: SystemFailure) -> OutputError {
        if failure.isBelowFile { return .fileInTheWay(path) }
        let doing = code == .cannotRead ? "read" : code == .cannotWrite ? "written" : "removed"
        return OutputError(
            code: code, path: path, problem: "cannot be \(doing): \(failure.message)", remedy: failure.remedy
        )
    }
}
