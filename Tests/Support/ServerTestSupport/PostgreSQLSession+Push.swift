import Foundation

extension PostgreSQLSession {
    /// Sends changes as one push.
    ///
    /// - Parameter changes: Each as JSON.
    /// - Returns: The responses.
    package func push(_ changes: [String]) throws -> [[String: Any]] {
        let json = PostgreSQLGateway.literal("[\(changes.joined(separator: ","))]")
        let lines = try rows("SELECT lockstep_push(\(json))")
        let body = try JSONSerialization.jsonObject(with: Data(lines.joined().utf8)) as? [String: Any]
        return body?["responses"] as? [[String: Any]] ?? []
    }

    /// Sends changes as one push.
    ///
    /// - Parameter changes: Each as JSON.
    /// - Returns: The statuses of the responses.
    package func statuses(ofPush changes: [String]) throws -> [Int] {
        try push(changes).compactMap { $0["status"] as? Int }
    }
}
