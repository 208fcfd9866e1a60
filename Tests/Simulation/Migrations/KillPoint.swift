/// When a migrating process is killed.
package enum KillPoint: Hashable, Sendable {
    /// Before a statement, counted from 1 over all connections, those that only read included.
    case statement(Int)
    /// During the commit or the checkpoint after it, by the first write that would make a file longer than this.
    case commit(bytes: Int)
    /// After the commit, before the checkpoint.
    case committed
    /// By the first write, at any time, that would make a file longer than this: most often the copy from before.
    case file(bytes: Int)

    /// - Parameter text: Such as `statement-12`.
    package init?(text: String) {
        let parts = text.split(separator: "-", maxSplits: 1)
        let number = parts.count > 1 ? Int(parts[1]) : nil
        switch (parts.first, number) {
        case ("statement", let number?): self = .statement(number)
        case ("commit", let number?): self = .commit(bytes: number)
        case ("committed", nil): self = .committed
        case ("file", let number?): self = .file(bytes: number)
        default: return nil
        }
    }

    package var text: String {
        switch self {
        case .statement(let number): "statement-\(number)"
        case .commit(let bytes): "commit-\(bytes)"
        case .committed: "committed"
        case .file(let bytes): "file-\(bytes)"
        }
    }
}
