import LockstepEvolution
import LockstepJSON

extension ReviewHints {
    /// Adds the hints of an answer: `--convert Product.price=number --otherwise 0`.
    package mutating func follow(_ flags: String) {
        var words = flags.replacing("keepNewest(by: ", with: "keepNewest(by:").split(separator: " ")[...]
        var converted: MemberPath?
        while let flag = words.popFirst(), let word = words.popFirst() {
            let parts = word.filter { $0 != "'" }
                .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let path = converted ?? MemberPath(text: parts[0]) else { continue }
            let value = parts.last == "\"\"" ? "" : parts.last ?? ""
            switch flag {
            case "--rename": renames[path] = value
            case "--remove": removals.insert(path)
            case "--fill": fills[path] = .string(value)
            case "--refetch": refetched.insert(path.type)
            case "--convert": (conversions[path], converted) = (value, path)
            case "--duplicates": duplicates[path] = value
            case "--case": cases[path] = value
            case "--first": firsts[path] = value
            default: otherwise[path] = .string(value)
            }
        }
    }
}
