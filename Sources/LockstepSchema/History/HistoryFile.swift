/// The names of history files: `Journal.history.yaml` is beside `Journal.yaml`, or beside `Journal.lockstep.yaml`.
package enum HistoryFile {
    private static let suffix = ".history.yaml"
    private static let schemaSuffixes = [".lockstep.yaml", ".lockstep.yml", ".yaml", ".yml"]

    /// The path of the history that is beside a schema.
    package static func path(besideSchema path: String) -> String {
        for suffix in schemaSuffixes where path.hasSuffix(suffix) { return path.dropLast(suffix.count) + self.suffix }
        return path + suffix
    }

    /// Whether a file is a history, judged by its name.
    package static func isHistory(_ name: String) -> Bool {
        name.hasSuffix(suffix) || name.hasSuffix(".history.yml")
    }
}
