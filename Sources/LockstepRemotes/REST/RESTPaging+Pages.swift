import Foundation
import LockstepTables

extension RESTPaging {
    /// Whether a page must be received as a whole before the next one is known.
    var collectsPages: Bool {
        switch self {
        case .none, .link: false
        case .nextLink, .cursor, .pages, .offset: true
        }
    }

    /// Whether the next page is an address, not a value of a parameter.
    var namesAddresses: Bool {
        switch self {
        case .link, .nextLink: true
        case .none, .cursor, .pages, .offset: false
        }
    }

    /// The parameters of a request for a page.
    ///
    /// - Parameter page: The page according to the one before; `nil` for the first.
    func parameters(of page: String?) -> [URLQueryItem] {
        func items(_ parameter: String, value: String?, size: (parameter: String, count: Int)?) -> [URLQueryItem] {
            [(parameter, value), (size?.parameter ?? "", size.map { String($0.count) })]
                .compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        }
        switch self {
        case .none, .link, .nextLink: return []
        case .cursor(_, let parameter, let size, _): return items(parameter, value: page, size: size)
        case .pages(let parameter, let size, let first, _):
            return items(parameter, value: page ?? String(first), size: size)
        case .offset(let parameter, let limit, _): return items(parameter, value: page ?? "0", size: limit)
        }
    }

    /// The page after a numbered one; `nil` if that is the last.
    ///
    /// - Parameter count: The number of its records.
    func next(after page: String?, count: Int) -> String? {
        func isLast(_ size: Int?, end: End) -> Bool { count == 0 || end == .shortPage && count < (size ?? 1) }
        switch self {
        case .pages(_, let size, let first, let end):
            return isLast(size?.count, end: end) ? nil : String((page.flatMap { Int($0) } ?? first) + 1)
        case .offset(_, let limit, let end):
            return isLast(limit?.count, end: end) ? nil : String((page.flatMap { Int($0) } ?? 0) + count)
        case .none, .link, .nextLink, .cursor: return nil
        }
    }

    /// Reads which page is next from a page.
    ///
    /// - Returns: The address or the value of the parameter; `nil` if the page is the last, or the paging does not
    ///   depend on the body's members.
    /// - Throws: ``NextPageProblem``.
    func next(in page: Data) throws -> String? {
        switch self {
        case .nextLink(let path, let ifMissing):
            try Self.value(at: path.keys, in: page, ifMissing: ifMissing).map { value in
                if case .string(let address) = value["href"] ?? value { return address }
                throw NextPageProblem(reason: "the next page under “\(path.shown)” is not an address")
            }
        case .cursor(let path, _, _, let ifMissing):
            try Self.value(at: path.keys, in: page, ifMissing: ifMissing).map { value in
                switch value {
                case .string(let text): return text
                case .integer(let number): return String(number)
                default: throw NextPageProblem(reason: "the next page under “\(path.shown)” is not a text or a number")
                }
            }
        case .none, .link, .pages, .offset: nil
        }
    }

    /// The value that names the next page; `nil` on the last.
    private static func value(at path: [String], in page: Data, ifMissing: MissingNext) throws -> JSONValue? {
        guard let found = JSONMembers.values(at: [path], of: page) else {
            throw NextPageProblem(
                reason: "the page is not a JSON object with the next page under “\(WirePath(path).shown)”")
        }
        switch found.first ?? nil {
        case nil where ifMissing == .lastPage: return nil
        case nil:
            throw NextPageProblem(
                reason: """
                    the page does not say whether there is another one: it has no member “\(WirePath(path).shown)”
                    """)
        case .null?, .bool(false)?, .string("")?: return nil
        case let value?: return value
        }
    }

    /// A page does not say which one is next.
    struct NextPageProblem: Error {
        let reason: String

        static let remedy = """
            Compare the path of the paging with a response. If the server omits the member on the last page, set \
            `ifMissing: .lastPage`.
            """
    }
}

extension WirePath {
    /// The path in the text of an error: `page.next_cursor`.
    var shown: String { keys.joined(separator: ".") }
}
