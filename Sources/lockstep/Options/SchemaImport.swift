import Foundation
import LockstepGenerator
import LockstepSchema

#if Import
    import LockstepImport

    /// Creates a schema from what people have, and writes it with what belongs to it.
    struct SchemaImport {
        /// The paths, or `-` for standard input.
        let files: [String]
        let options: ImportOptions
        /// The folder to write to.
        let folder: String
        /// The suffix of the name of the schema's file.
        var suffix = ".yaml"

        /// Writes the schema and what belongs to it, or nothing.
        ///
        /// - Returns: The path of the schema, and what was imported; the schema if it had to be read, as for a proof.
        func run() throws -> (path: String, imported: ImportedSchema, schema: VersionedSchema?) {
            let imported: ImportedSchema
            do { imported = try importSchema(inputs(), options: options) } catch {
                throw UsageFailure(message: "\(error) Nothing was written.")
            }
            let path = (folder as NSString).appendingPathComponent(imported.name + suffix)
            let schema = try schema(imported, at: path)
            try write(imported, to: path)
            return (path, imported, schema)
        }

        private func inputs() throws(ImportFailure) -> [ImportInput] {
            var inputs: [ImportInput] = []
            for file in files {
                let isStandardInput = file == "-"
                inputs.append(
                    isStandardInput
                        ? ImportInput(standardInput: FileHandle.standardInput.readDataToEndOfFile())
                        : try ImportInput(path: file))
            }
            return inputs
        }

        /// Reads the schema before it is written, unless it was checked while it was made and is not proved.
        private func schema(_ imported: ImportedSchema, at path: String) throws -> VersionedSchema? {
            if imported.isChecked, imported.history == nil, !options.keepsSamples { return nil }
            let schema = SchemaSource(path: path, bytes: Array(imported.text.utf8))
            let history = imported.history.map {
                SchemaSource(path: HistoryFile.path(besideSchema: path), bytes: Array($0.utf8))
            }
            let reading = readVersions(
                [VersionedSource(schema: schema, history: history)], checking: .release)
            if let problem = reading.diagnostics.first(where: { $0.severity == .error }) {
                throw InvalidImport(file: files.joined(separator: " "), message: problem.message)
            }
            return reading.schemas.first
        }

        private func write(_ imported: ImportedSchema, to path: String) throws {
            var texts = [(path: path, text: imported.text)]
            if let history = imported.history { texts.append((HistoryFile.path(besideSchema: path), history)) }
            texts += imported.companions.map { ((folder as NSString).appendingPathComponent($0.name), $0.text) }
            for (path, _) in texts where FileManager.default.fileExists(atPath: path) {
                throw UsageFailure(
                    message: "'\(path)' already exists. Nothing was written. Choose another name, or remove it.")
            }
            var written: [String] = []
            for (path, text) in texts {
                do {
                    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                    try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
                    written.append(path)
                } catch {
                    for path in written { try? FileManager.default.removeItem(atPath: path) }
                    throw UsageFailure(message: "'\(path)' cannot be written: \(error.localizedDescription)")
                }
            }
        }
    }

    /// A schema that an import has made breaks a rule: a bug.
    private struct InvalidImport: Error, CustomStringConvertible {
        let file: String
        let message: String

        var description: String {
            "The schema created from '\(file)' would be invalid: \(message). Nothing was written."
        }
    }
#endif
