/// Why a command failed.
enum JournalError: Error, Hashable {
    case noEntry(String)
    case severalEntries(String, count: Int)
    case noPort(UInt16)
    case notWritable(String)
    case journalsDiffer([String])
}

extension JournalError: CustomStringConvertible {
    var description: String {
        switch self {
        case .noEntry(let id): "There is no entry '\(id)'. See 'journal list' for the ids."
        case .severalEntries(let id, let count): "\(count) entries begin with '\(id)'. Use more characters of the id."
        case .noPort(let port):
            "Port \(port) is in use, or not permitted. Choose another one with --port, or 0 for any free port."
        case .notWritable(let path): "'\(path)' cannot be written. Choose another file with --data."
        case .journalsDiffer(let differences): "The journals differ:\n" + differences.joined(separator: "\n")
        }
    }
}
