#if Inspect
    import Foundation
    import LockstepEvolution
    import LockstepGenerator
    import LockstepInspection
    import LockstepStore

    /// The contents of a store's file, in all output formats.
    struct Inspection {
        private let report: InspectionReport

        /// Reads a file without changing it.
        ///
        /// - Parameters:
        ///   - path: The file.
        ///   - entity: The only entity whose records are included; `nil` for all.
        ///   - includesValues: Whether values of records and texts from servers are included.
        ///   - date: When the file is read.
        init(
            path: String, entity: String? = nil, includesValues: Bool = false, at date: Date
        ) throws(UsageFailure) {
            let options = InspectionOptions(includesValues: includesValues, entity: entity, at: date)
            report = try Self.read(path) { try $0.report(options) }
        }

        /// Reads the version of the schema that a file has, without changing it.
        ///
        /// - Throws: ``UsageFailure``, also if the file does not record its schema.
        static func version(ofFile path: String) throws(UsageFailure) -> (number: Int, tree: SchemaTree) {
            let version = try read(path) { try $0.version() }
            guard let tree = version.tree else {
                throw UsageFailure(message: "'\(path)' does not record its schema, or is damaged.")
            }
            return (version.number, tree)
        }

        /// All records of a file as JSON, without changing it.
        static func export(ofFile path: String, entity: String?) throws(UsageFailure) -> RecordExport {
            try read(path) { try RecordExport($0, entity: entity) }
        }

        private static func read<Value>(
            _ path: String, body: (InspectedFile) throws -> Value
        ) throws(UsageFailure) -> Value {
            do {
                return try body(InspectedFile(URL(fileURLWithPath: path)))
            } catch let error as StoreError {
                throw UsageFailure(message: "'\(path)': \(error.reason). \(error.remedy)")
            } catch {
                throw UsageFailure(message: "'\(path)' cannot be inspected: \(String(describing: error)).")
            }
        }

        /// Whether there is a problem that does not resolve itself.
        var isWrong: Bool { report.findings.contains { $0.severity == .error } }

        var text: String { InspectionText(report).text }

        func json() throws -> Data { try report.json() }

        /// One HTML page that needs no network.
        var page: String { InspectionPage(report).text }
    }
#endif
