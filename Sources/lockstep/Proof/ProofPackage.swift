#if Import
    import Foundation
    import LockstepGenerator
    import LockstepSchema

    /// A package that is built and run.
    struct ProofPackage {
        /// A temporary folder, for what the program reads and writes.
        let folder: URL
        /// The folder of the package.
        private let package: URL

        /// A program has failed, with what it has printed.
        struct Failure: Error {
            let step: String
            let output: String

            /// What it has printed, without the progress of the build.
            var message: String {
                output.split(separator: "\n").filter { !$0.starts(with: #/\[\d+/\d+\] /#) }.joined(separator: "\n")
            }
        }

        /// Builds a program for a schema, and calls `body`.
        ///
        /// In the folder of a package, the program stays in its `.build`, so that the next proof is fast.
        ///
        /// - Throws: ``Failure`` if it does not compile; ``UsageFailure`` if there is no Swift; what `body` throws.
        static func with<Value>(_ program: ProofProgram, _ body: (ProofPackage) throws -> Value) throws -> Value {
            let manager = FileManager.default
            let folder = manager.temporaryDirectory.appendingPathComponent("lockstep-\(UUID().uuidString)")
            Interruption.observe()
            defer { try? manager.removeItem(at: folder) }
            try manager.createDirectory(at: folder, withIntermediateDirectories: true)
            let parent = manager.fileExists(atPath: "Package.swift") ? URL(fileURLWithPath: ".build") : folder
            let package = ProofPackage(folder: folder, package: parent.appendingPathComponent(ProofProgram.name))
            let output = OutputFolder(package.package.path)
            return try output.writing(notify: Console.notify(in: output.path)) {
                try output.apply(OutputPlan(program.files, over: try output.read(for: program.files), force: true))
                try package.build()
                return try body(package)
            }
        }

        // MARK: Programs

        private func build() throws {
            try run(
                "swift", with: ["build", "--package-path", package.path],
                failure: "The package with the generated Swift cannot be built")
        }

        /// Runs the program.
        ///
        /// - Returns: The lines that it has written.
        /// - Throws: ``Failure``.
        @discardableResult
        func run(_ mode: String) throws -> [String] {
            let program = package.appendingPathComponent(".build/debug").appendingPathComponent(ProofProgram.name)
            try run(
                program.path, with: [mode, folder.path],
                failure: "A store of the schema cannot be opened, or its records cannot be read")
            let lines = try String(contentsOf: folder.appendingPathComponent("LINES"), encoding: .utf8)
            return lines.split(separator: "\n").map(String.init)
        }

        /// Runs a script of `sqlite3` on the store, in the folder of the database that it copies.
        ///
        /// - Returns: The rows that it printed, as JSON; empty if there are none.
        /// - Throws: ``Failure``; ``UsageFailure`` if there is no `sqlite3`.
        func copyRows(_ script: String, of database: URL) throws -> Data {
            let file = folder.appendingPathComponent("rows.sql")
            try Data(script.utf8).write(to: file)
            let output = try run(
                "sqlite3", with: ["-bail", "-json", folder.appendingPathComponent("proof.sqlite").path],
                in: database.deletingLastPathComponent(), input: FileHandle(forReadingFrom: file),
                failure: "The rows cannot be copied")
            return Data(output.utf8)
        }

        /// The status of `env` if it does not find the program.
        private static let notFound: Int32 = 127

        @discardableResult
        private func run(
            _ program: String, with arguments: [String], in directory: URL? = nil, input: FileHandle = .nullDevice,
            failure step: String
        ) throws -> String {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [program] + arguments
            process.currentDirectoryURL = directory
            // SwiftPM 6.3 passes a package's traits in the order of their hashes, so a build with other hashes would
            // compile every module again (swift-package-manager issue 10525, fixed in 6.4).
            process.environment = ProcessInfo.processInfo.environment.merging(
                ["SWIFT_DETERMINISTIC_HASHING": "1"], uniquingKeysWith: { $1 })
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            process.standardInput = input
            do { try process.run() } catch { throw UsageFailure(message: "'\(program)' cannot be run: \(error)") }
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            if process.terminationStatus == Self.notFound {
                throw UsageFailure(message: "'\(program)' was not found. Install it, and run the command again.")
            }
            guard Interruption.pause(milliseconds: 0) else { throw CancellationError() }
            guard process.terminationReason == .exit, process.terminationStatus == 0 else {
                throw Failure(step: step, output: text)
            }
            return text
        }
    }
#endif
