#if Import
    import Foundation
    import LockstepGenerator
    import LockstepSchema

    /// A package that is built and run.
    struct ProofPackage {
        /// A temporary folder, for what the program reads and writes. Nobody else can read it.
        let folder: URL
        /// The folder of the package.
        private let package: URL

        /// Builds a program for a schema, and calls `body`.
        ///
        /// In the folder of a package, the program stays in its `.build`, so that the next proof is fast.
        ///
        /// - Throws: ``ProofFailure`` if it does not compile; ``UsageFailure`` if there is no Swift, or if SwiftPM
        ///   cannot build in the folder; what `body` throws.
        static func with<Value>(_ program: ProofProgram, _ body: (ProofPackage) throws -> Value) throws -> Value {
            let manager = FileManager.default
            let folder = manager.temporaryDirectory.appendingPathComponent("lockstep-\(UUID().uuidString)")
            defer { try? manager.removeItem(at: folder) }
            let parent = manager.fileExists(atPath: "Package.swift") ? URL(fileURLWithPath: ".build") : folder
            let package = ProofPackage(folder: folder, package: parent.appendingPathComponent(ProofProgram.name))
            for path in [program.lockstep, package.package.path] { try checkPath(path) }
            try package.checkOwner()
            let output = OutputFolder(package.package.path)
            return try output.writing(notify: Console.notify(in: output.path)) {
                Interruption.observe()
                try manager.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                try package.write(program.files)
                try package.build()
                return try body(package)
            }
        }

        /// SwiftPM 6.3 does not escape paths in the files that it writes for the compiler.
        private static func checkPath(_ path: String) throws {
            guard path.unicodeScalars.contains(where: { $0 == "\"" || $0 == "\\" || $0.value < 0x20 }) else { return }
            throw UsageFailure(
                message: """
                    Swift cannot build in '\(path)', because the path has a quotation mark, a backslash or a line break. \
                    Move it to another folder.
                    """)
        }

        /// The package is compiled and run, so its folder must be one that this user has made.
        private func checkOwner() throws {
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: package.path) else { return }
            let owner = (attributes[.ownerAccountID] as? NSNumber)?.uint32Value
            if attributes[.type] as? FileAttributeType == .typeDirectory, owner == getuid() { return }
            throw UsageFailure(message: "'\(package.path)' is a link, or not your folder. Remove it.")
        }

        /// Writes the files in place of all others but the products of the build.
        private func write(_ files: [GeneratedFile]) throws {
            let manager = FileManager.default
            for name in try manager.contentsOfDirectory(atPath: package.path) where name != ".build" {
                try manager.removeItem(at: package.appendingPathComponent(name))
            }
            for file in files {
                let url = package.appendingPathComponent(file.path)
                try manager.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(file.contents).write(to: url)
            }
        }

        // MARK: Programs

        private func build() throws {
            try ChildProcess(program: "swift", arguments: ["build", "--package-path", package.path])
                .run(failure: "The package with the generated Swift cannot be built")
        }

        /// Runs the program.
        ///
        /// - Returns: The lines that it has written.
        /// - Throws: ``ProofFailure``.
        func run(_ mode: String) throws -> [String] {
            let program = package.appendingPathComponent(".build/debug").appendingPathComponent(ProofProgram.name)
            try ChildProcess(program: program.path, arguments: [mode, folder.path])
                .run(failure: "A store of the schema cannot be opened, or its records cannot be read")
            let lines = try String(contentsOf: folder.appendingPathComponent("LINES"), encoding: .utf8)
            return lines.split(separator: "\n").map(String.init)
        }

        /// Runs a script of `sqlite3` on the store, in the folder of the database that it copies.
        ///
        /// - Returns: The rows that it printed, as JSON; empty if there are none.
        /// - Throws: ``ProofFailure``; ``UsageFailure`` if there is no `sqlite3`.
        func copyRows(_ script: String, of database: URL) throws -> Data {
            let file = folder.appendingPathComponent("rows.sql")
            try Data(script.utf8).write(to: file)
            let store = folder.appendingPathComponent("proof.sqlite").path
            // Without the settings of the user, which can print more.
            let process = ChildProcess(
                program: "sqlite3", arguments: ["-init", "/dev/null", "-bail", "-json", store],
                directory: database.deletingLastPathComponent(), input: try FileHandle(forReadingFrom: file))
            return try process.run(failure: "The rows cannot be copied")
        }
    }
#endif
