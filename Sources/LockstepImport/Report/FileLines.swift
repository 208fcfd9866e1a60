/// The places of lines that are counted over all files.
struct FileLines {
    /// What was imported.
    let path: String
    private var files: [(firstLine: Int, name: String)] = []

    init(path: String) { self.path = path }

    /// Adds the next file.
    mutating func add(_ name: String, firstLine: Int) { files.append((firstLine, name)) }

    func location(_ line: Int) -> String {
        let (name, line) = place(line)
        return "\(name):\(line)"
    }

    /// The file of a line, and the line in it.
    func place(_ line: Int) -> (name: String, line: Int) {
        guard let file = files.last(where: { $0.firstLine <= line }) else { return (path, line) }
        return (file.name, line - file.firstLine + 1)
    }

    /// A failure with the file of its line.
    func located(_ failure: ImportFailure) -> ImportFailure {
        guard let line = failure.line else { return failure }
        let (name, own) = place(line)
        return ImportFailure(name, line: own, reason: failure.reason)
    }
}
