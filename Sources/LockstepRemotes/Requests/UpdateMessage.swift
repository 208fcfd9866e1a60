import Foundation
import LockstepTables

/// The message of a server for the user of an app that is too old, in the body of a response with 426.
enum UpdateMessage {
    /// The longest text that is shown.
    private static let limit = 1_000

    /// The member `message`, `detail` (RFC 9457), `title` or `error` of a JSON object, or a body that is plain text;
    /// `nil` if there is none.
    static func text(in body: Data) -> String? {
        // A body may repeat the credentials that were sent.
        let body = Redaction.body(body)
        guard !ResponseBody.isPage(body) else { return nil }
        if let json = try? JSONValue(json: body) {
            for key in ["message", "detail", "title", "error"] {
                if case .string(let text)? = json[key], let text = trimmed(text) { return text }
                if case .string(let text)? = json[key]?["message"], let text = trimmed(text) { return text }
            }
            guard case .string(let text) = json else { return nil }
            return trimmed(text)
        }
        return trimmed(String(decoding: body, as: UTF8.self))
    }

    private static func trimmed(_ text: String) -> String? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty || text.first == "{" ? nil : String(text.prefix(limit))
    }
}
