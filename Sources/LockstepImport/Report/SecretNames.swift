import LockstepJSON
import LockstepSchema

/// The names of secrets, which a device seldom needs: `privateKey`, `passwordDigest`, `otp_secret`.
enum SecretNames {
    static func isSecret(_ name: String) -> Bool {
        var words = UsableName.words(name).map { $0.lowercased() }
        // A list of secrets is named like one: `apiKeys`.
        if let last = words.popLast() { words.append(Noun.singular(last)) }
        guard let last = words.last, !properties.contains(last) else { return false }
        if words.contains(where: secrets.contains) || words.first == "otp" { return true }
        if last == "token" || name.lowercased() == "pin" { return true }
        if last == "digest", words.count > 1 { return true }
        return zip(words, words.dropFirst()).contains { first, second in
            pairs.contains { $0.kinds.contains(first) && $0.word == second }
        }
    }

    /// Whether values of a type can be secrets: `passwordChanged` is a date.
    static func areSecret(_ type: String) -> Bool { ["string", "data", "json", "url"].contains(type) }

    /// A value for a note. It is only called a value if the name of a member that leads to it, or of a member in it, is
    /// that of a secret.
    ///
    /// - Parameter path: The names of the members that lead to it.
    static func shown(_ value: JSONValue, at path: [String]) -> String {
        if path.contains(where: isSecret) || hasSecret(value) { return "a value" }
        let text = StoredJSON.text(of: value)
        return text.count > shownLimit ? "\(text.prefix(shownLimit))…" : text
    }

    private static let shownLimit = 60

    private static func hasSecret(_ value: JSONValue) -> Bool {
        switch value {
        case .object(let members): members.contains { isSecret($0.key) || hasSecret($0.value) }
        case .array(let elements): elements.contains(where: hasSecret)
        default: false
        }
    }

    /// The text of a note about the default of an attribute, which has no value.
    static func lostDefault(of subject: String) -> String {
        "\(subject): its default was left out, because its name is that of a secret"
    }

    /// A text of a note without the default that it quotes, if it is about a secret.
    static func withoutDefault(_ text: String) -> String {
        let bytes = text.utf8
        guard let colon = bytes.indices.first(where: { bytes[$0...].starts(with: ": ".utf8) }) else { return text }
        let rest = bytes[colon...].dropFirst(2)
        guard defaultMarks.contains(where: { rest.starts(with: $0.utf8) }) else { return text }
        let subject = text[..<colon]
        return isSecret(String(subject.split(separator: ".").last ?? "")) ? lostDefault(of: String(subject)) : text
    }

    /// How notes begin that quote a default.
    private static let defaultMarks = ["the default ", "DEFAULT ", "default: ", "`default: ", "defaultValueString "]

    private static let secrets: Set = [
        "password", "passwords", "passwd", "pwd", "passphrase", "passcode", "secret", "secrets", "credential",
        "credentials", "authorization", "apikey", "accesskey", "jwt",
    ]

    /// The last words of what is known about a secret, and is none: `secretCount`, `resetTokenID`.
    private static let properties: Set = ["count", "id", "ids", "length", "type", "at", "date", "name"]

    private static let pairs: [(word: String, kinds: Set<String>)] = [
        ("key", ["private", "api", "access", "secret", "encryption", "signing"]),
        (
            "token",
            [
                "access", "refresh", "auth", "authentication", "session", "bearer", "api", "reset", "confirmation",
                "unlock", "remember",
            ]
        ),
    ]
}
