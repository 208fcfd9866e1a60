import Foundation
package import HTTPTypes

/// Addresses and requests as errors and logs may show them: without tokens, passwords and user names (rule P9).
public enum Redaction {
    /// Replaces a secret.
    static let mark = "…"

    /// The method and the address, such as `GET https://example.com/articles?auth=…&page=2`.
    package static func text(of request: HTTPRequest) -> String {
        "\(request.method.rawValue) \(text(of: request.addressText))"
    }

    /// An address without user info, without the values of secret parameters, and without its fragment.
    ///
    /// It accepts any text, even if it is not an address, and changes nothing else.
    public static func text(of address: String) -> String {
        var rest = Substring(address)
        if let fragment = rest.firstIndex(of: "#") { rest = rest[..<fragment] }
        var query: Substring?
        if let mark = rest.firstIndex(of: "?") {
            query = rest[rest.index(after: mark)...]
            rest = rest[..<mark]
        }
        return withoutUserInfo(rest) + (query.map { "?" + withoutSecrets($0) } ?? "")
    }

    private static func withoutUserInfo(_ text: Substring) -> String {
        guard let slashes = text.range(of: "//") else { return String(text) }
        let authority = text[slashes.upperBound...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return String(text) }
        return text[..<slashes.upperBound] + mark + text[at...]
    }

    private static func withoutSecrets(_ query: Substring) -> String {
        query.split(separator: "&", omittingEmptySubsequences: false).map { parameter in
            guard let equals = parameter.firstIndex(of: "="), isSecret(parameter: parameter[..<equals]) else {
                return String(parameter)
            }
            return parameter[...equals] + mark
        }.joined(separator: "&")
    }

    /// The query without its secret parameters. The others are unchanged.
    static func droppingSecrets(_ query: String) -> String? {
        let kept = query.split(separator: "&").filter { !isSecret(parameter: $0.prefix { $0 != "=" }) }
        return kept.isEmpty ? nil : kept.joined(separator: "&")
    }

    /// Whether the value of a parameter with that name, percent-encoded or not, is a secret.
    package static func isSecret(parameter: some StringProtocol) -> Bool {
        let name = (String(parameter).removingPercentEncoding ?? String(parameter)).lowercased().filter(\.isLetter)
        return secretNames.contains(name) || secretEndings.contains { name.hasSuffix($0) }
    }

    /// With any case and any separators: `access_token`, `X-Amz-Signature`.
    private static let secretNames: Set = ["auth", "key", "sig", "jwt", "session", "sessionid", "pwd", "code"]
    static let secretEndings = [
        "token", "apikey", "accesskey", "secret", "password", "signature", "credential", "authorization",
    ]
}
