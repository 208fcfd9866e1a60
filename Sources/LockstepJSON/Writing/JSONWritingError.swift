/// Why a value cannot be written as JSON, and where.
public struct JSONWritingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The keys and array indexes that lead to the value, outermost first: `["lines", "2", "price"]`.
    public let path: [String]
    /// The problem.
    public let reason: Reason

    /// The possible problems.
    public enum Reason: Hashable, Sendable {
        /// A number that is infinite or not a number, which JSON cannot represent.
        case notFinite
        /// Arrays and objects that are nested more deeply than readers allow.
        case tooDeep(limit: Int)
    }

    package init(_ reason: Reason, path: [String] = []) {
        self.reason = reason
        self.path = path
    }

    /// The location and what is wrong there: `lines.2.price: JSON has no infinite numbers, and nothing that is no
    /// number`.
    @_spi(Requirements) public var description: String {
        let problem =
            switch reason {
            case .notFinite: "JSON has no infinite numbers, and nothing that is no number; use null instead"
            case .tooDeep(let limit): "arrays and objects are nested more than \(limit) deep; make the value flatter"
            }
        // A path as long as the limit is no more useful than its beginning.
        let location = path.prefix(8).joined(separator: ".") + (path.count > 8 ? "…" : "")
        return path.isEmpty ? problem : "\(location): \(problem)"
    }
}
