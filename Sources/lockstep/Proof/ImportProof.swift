#if Import
    import Foundation
    import LockstepGenerator
    import LockstepImport
    import LockstepJSON
    import LockstepSchema

    /// Proves an import: compiles what is generated of the schema, opens a store, and compares what comes back of the
    /// samples or rows.
    struct ImportProof {
        let imported: ImportedSchema
        let schema: VersionedSchema
        /// The path that the schema was written to.
        let path: String
        /// The files that were imported.
        let files: [String]
        /// The folder of Lockstep's package; `nil` for the one that this program was built from.
        let lockstep: String?

        /// How many rows that were left out are listed.
        private static let shownLimit = 10

        /// What was found out, in lines, and whether all came back equal.
        private struct Result {
            var lines: [String] = []
            var isEqual = true

            mutating func add(_ noun: String, of entity: String, count: Int, equalCount: Int) {
                lines.append("\(entity): \(equalCount) of \(count) \(noun)\(count == 1 ? "" : "s") came back equal")
                if equalCount < count { isEqual = false }
            }
        }

        /// Prints what was found out.
        ///
        /// - Returns: Whether all came back equal.
        /// - Throws: ``Exit/findings`` if what is generated does not compile or run; ``UsageFailure`` if a program or
        ///   Lockstep's package is not found. The schema stays.
        func report() throws -> Bool {
            do {
                let result = try result()
                Console.report(TerminalText(lines: ["", "Proof:"] + result.lines.map { "  \($0)" }))
                return result.isEqual
            } catch let failure as ProofFailure {
                Console.report("error: \(failure.step):\n\(TerminalText(document: failure.message))")
                Console.report("'\(path)' was written. If generated code causes this, report it with the schema.")
                throw Exit.findings
            }
        }

        private func result() throws -> Result {
            let program = ProofProgram(
                schema: schema, companions: imported.companions.filter { $0.name.hasSuffix(".swift") }.map(\.text),
                lockstep: try LockstepPackage.folder(named: lockstep))
            Console.report("Compiling the Swift generated from '\(path)'. The first time, this takes a few minutes …")
            return try ProofPackage.with(program) { package in
                var result = Result()
                try proveSamples(in: package, &result)
                if let script = imported.companions.first(where: { $0.name.hasSuffix(".rows.sql") }) {
                    try proveRows(script.text, in: package, &result)
                }
                return result
            }
        }

        /// Opens the store, also if there are no samples.
        private func proveSamples(in package: ProofPackage, _ result: inout Result) throws {
            let names = imported.samples.map(\.entity).joined(separator: "\n")
            try Data(names.utf8).write(to: package.folder.appendingPathComponent("NAMES"))
            for (number, samples) in zip(1..., imported.samples) {
                try JSONValue.array(samples.records).json()
                    .write(to: package.folder.appendingPathComponent("\(number).json"))
            }
            let skipped = try package.run("samples")
            result.lines.append("The generated Swift compiles, and a store with this schema opens")
            let comparison = SampleComparison(schema.schema)
            for (number, samples) in zip(1..., imported.samples) {
                let file = package.folder.appendingPathComponent("\(number).out.json")
                guard case .array(let others) = try JSONValue(json: Data(contentsOf: file)) else { continue }
                let compared = comparison.compare(samples, with: others)
                result.add("record", of: compared.entity, count: compared.count, equalCount: compared.equalCount)
                result.lines += compared.differences.map { "  \($0)" }
            }
            result.lines += skipped.map { "Not read: \($0)" }
            if !skipped.isEmpty { result.isEqual = false }
        }

        private func proveRows(_ script: String, in package: ProofPackage, _ result: inout Result) throws {
            let json = try package.copyRows(script, of: URL(fileURLWithPath: files[0]))
            for line in try package.run("rows") {
                let parts = line.split(separator: "\t").map(String.init)
                guard parts.count == 3, let count = Int(parts[1]), let equal = Int(parts[2]) else {
                    result.lines.append("  \(line)")
                    continue
                }
                result.add("row", of: parts[0], count: count, equalCount: equal)
            }
            guard !json.isEmpty, case .array(let left) = try JSONValue(json: json) else { return }
            result.isEqual = false
            result.lines.append("Left out by the script, which prints them: \(left.count)")
            let texts = left.prefix(Self.shownLimit).map { row in
                let parts = ["table", "row", "column", "reason"].map { name -> String in
                    if case .string(let text)? = row[name] { return text }
                    return row[name].map(StoredJSON.text) ?? ""
                }
                let reason = parts[2...].filter { !$0.isEmpty }.joined(separator: " ")
                return "  \(parts[0]), row \(parts[1]): \(reason)"
            }
            result.lines += texts + (left.count > texts.count ? ["  …"] : [])
        }
    }

    /// Where Lockstep's package is.
    private enum LockstepPackage {
        /// - Parameter name: A folder; `nil` to look where this program was built: in a clone of Lockstep, or below the
        ///   folder of checkouts of another package.
        static func folder(named name: String?) throws -> String {
            if let name {
                let folder = URL(fileURLWithPath: name)
                if isLockstep(folder) { return folder.path }
                throw UsageFailure(message: "'\(name)' does not contain Lockstep's package. Specify a clone of it.")
            }
            var folder = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
                .resolvingSymlinksInPath()
            while folder.path != "/" {
                folder.deleteLastPathComponent()
                let checkout = folder.appendingPathComponent("checkouts/lockstep")
                if let found = [folder, checkout].first(where: isLockstep) { return found.path }
            }
            throw UsageFailure(
                message: """
                    Lockstep's package, which the proof builds, was not found near this program. Specify a clone of \
                    it: '--lockstep DIR'.
                    """)
        }

        private static func isLockstep(_ folder: URL) -> Bool {
            ["Package.swift", "Sources/LockstepStore", "Sources/LockstepMerge"].allSatisfy {
                FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
            }
        }
    }
#endif
