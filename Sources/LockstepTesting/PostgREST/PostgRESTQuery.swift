import Foundation
import HTTPTypes
import LockstepStore

/// The parameters of a request: filters, order, limit and offset.
struct PostgRESTQuery {
    private var filters: [(column: String, operation: String, value: String)] = []
    private var order: [(column: String, isDescending: Bool)] = []
    private var limit: Int?
    private(set) var offset = 0

    /// - Throws: The response to a parameter that the server does not understand.
    init(_ request: ServerRequest, path: String, dialect: PostgRESTDialect) throws(PostgRESTDialect.Refusal) {
        for item in request.query {
            let value = item.value ?? ""
            switch item.name {
            case "select", "columns", "on_conflict": break
            case "limit": limit = Int(value)
            case "offset": offset = Int(value) ?? 0
            case "order":
                for term in value.split(separator: ",") {
                    let parts = term.split(separator: ".").map(String.init)
                    order.append((parts[0], parts.dropFirst().contains("desc")))
                }
            default:
                let parts = value.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, Self.operations.contains(String(parts[0])) else {
                    throw PostgRESTDialect.Refusal(
                        response: dialect.failure(
                            400, code: "PGRST100", message: "\"failed to parse filter (\(value))\" (line 1, column 1)"))
                }
                filters.append((item.name, String(parts[0]), String(parts[1])))
            }
        }
        let columns = filters.map(\.column) + order.map(\.column)
        if let known = dialect.rules.tables[path] ?? nil, let unknown = columns.first(where: { !known.contains($0) }) {
            throw PostgRESTDialect.Refusal(
                response: dialect.failure(
                    400, code: "42703", message: "column \(dialect.name(of: path)).\(unknown) does not exist"))
        }
        takeRange(request)
    }

    private static let operations: Set<String> = ["eq", "neq", "gt", "gte", "lt", "lte", "is", "in"]

    /// `Range: 0-9` says the same as an offset and a limit.
    private mutating func takeRange(_ request: ServerRequest) {
        guard let field = request.headers[.range], !field.contains("=") else { return }
        let bounds = field.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard bounds.count == 2, let first = bounds[0] else { return }
        offset = first
        if let last = bounds[1] { limit = last - first + 1 }
    }

    func includes(_ row: JSONValue) -> Bool {
        filters.allSatisfy { column, operation, value in
            let found = row[column] ?? .null
            switch operation {
            case "is": return value == "null" ? found == .null : found.plainText == value
            case "in":
                let list = value.dropFirst().dropLast().split(separator: ",").map {
                    $0.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
                }
                return found.plainText.map(list.contains) ?? false
            // Comparisons with null are never true.
            default: return found.plainText.map { Self.compares($0, operation: operation, right: value) } ?? false
            }
        }
    }

    private static func compares(_ left: String, operation: String, right: String) -> Bool {
        let isBefore = if let left = Double(left), let right = Double(right) { left < right } else { left < right }
        let isSame = left == right || Double(left).map { $0 == Double(right) } ?? false
        return switch operation {
        case "eq": isSame
        case "neq": !isSame
        case "lt": isBefore
        case "lte": isBefore || isSame
        case "gt": !isBefore && !isSame
        default: !isBefore
        }
    }

    func sorted(_ rows: [JSONValue]) -> [JSONValue] {
        guard !order.isEmpty else { return rows }
        return rows.sorted { first, second in
            for (column, isDescending) in order {
                let (left, right) = (first[column]?.plainText ?? "", second[column]?.plainText ?? "")
                if Self.compares(left, operation: "eq", right: right) { continue }
                return Self.compares(left, operation: isDescending ? "gt" : "lt", right: right)
            }
            return false
        }
    }

    /// The rows of the requested page.
    func page(of rows: [JSONValue], at maximum: Int?) -> [JSONValue] {
        Array(rows.dropFirst(offset).prefix(min(limit ?? .max, maximum ?? .max)))
    }
}
