import LockstepSchema

/// The names of secrets, which a device seldom needs: `privateKey`, `passwordDigest`, `otp_secret`.
enum SecretNames {
    static func isSecret(_ name: String) -> Bool {
        let words = UsableName.words(name).map { $0.lowercased() }
        if words.contains(where: secrets.contains) || words.first == "otp" { return true }
        if words.last == "digest", words.count > 1 { return true }
        return zip(words, words.dropFirst()).contains { first, second in
            pairs.contains { $0.kinds.contains(first) && $0.word == second }
        }
    }

    /// Whether values of a type can be secrets: `passwordChanged` is a date.
    static func areSecret(_ type: String) -> Bool { ["string", "data", "json"].contains(type) }

    private static let secrets: Set = [
        "password", "passwd", "passphrase", "secret", "secrets", "credentials", "apikey",
    ]

    private static let pairs: [(word: String, kinds: Set<String>)] = [
        ("key", ["private", "api", "secret", "encryption", "signing"]),
        (
            "token",
            [
                "access", "refresh", "auth", "authentication", "session", "bearer", "api", "reset", "confirmation",
                "unlock", "remember",
            ]
        ),
    ]
}
