import LockstepJSON
import LockstepSchema

/// The words in which a repair is reported: a diagnostic is about a schema that the user has not written.
enum RepairText {
    /// The longest value that is quoted.
    private static let lengthLimit = 60

    /// An option as the schema would have it: `default: 0`.
    static func option(_ key: String, value: JSONValue?) -> String {
        guard let value else { return "`\(key)`" }
        let text = YAMLText.flow(value)
        return text.count > lengthLimit ? "`\(key)`" : "`\(key): \(text)`"
    }

    /// The message of a diagnostic as the end of a sentence.
    ///
    /// - Parameter option: The option that was left out.
    static func reason(_ message: String, of option: String? = nil) -> String {
        var text = message[...]
        if let option {
            let start = "'\(option)' is not allowed here: "
            if text.hasPrefix(start) { text = text.dropFirst(start.count) }
        }
        let word = text.prefix { $0 != " " }
        let isName = word.dropFirst().contains { !$0.isLowercase } || word.first?.isUppercase != true
        return isName ? String(text) : text.prefix(1).lowercased() + text.dropFirst()
    }

    /// The instructions for options of a member that were left out.
    static let helps = [
        "default": "Set it in Swift, in an initializer.",
        "min": "Check it in Swift, in `validate()`.",
        "max": "Check it in Swift, in `validate()`.",
        "minLength": "Check it in Swift, in `validate()`.",
        "maxLength": "Check it in Swift, in `validate()`.",
        "unique": "Check it in Swift, in `validate()`.",
        "indexed": "Requests that compare it read all records.",
        "column": "Its column has the name that is derived from its own.",
        "key": "Its JSON key is the one that is derived from its name.",
        "wire": "Its JSON has the usual format of its type.",
        "inverse": "If two relationships belong together, write `inverse:` at both.",
    ]
}
