/// English plurals and singulars, for the paths of collections (`/people`) and the keys of lists of IDs (`tag_ids`).
///
/// Both change the last word of a name and keep the rest: `childTasks` becomes `childTask`, `blog_categories` becomes
/// `blog_category`. If English is ambiguous, the form that is more frequent in app schemas is used; every path and key
/// can be specified in the schema instead.
package enum Noun {
    package static func plural(_ name: String) -> String {
        replacingLastWord(of: name, with: pluralOfWord)
    }

    package static func singular(_ name: String) -> String {
        replacingLastWord(of: name, with: singularOfWord)
    }

    private static func replacingLastWord(of name: String, with change: (String) -> String) -> String {
        let words = NameWords(name)
        guard let last = words.words.last else { return name }
        let start = name.utf8.dropLast(words.suffix.utf8.count + last.utf8.count)
        return String(Substring(start)) + recased(change(last.lowercased()), like: last) + words.suffix
    }

    /// `word` in capitals, with a capital first letter, or in lower case, like `model`. The `s` of `IDs` does not
    /// count.
    private static func recased(_ word: String, like model: String) -> String {
        let capitals = model.unicodeScalars.count(where: \.properties.isUppercase)
        if capitals > 1 {
            let isPlural = word.count > model.count || model.hasSuffix("s")
            return isPlural && word.hasSuffix("s") ? word.dropLast().uppercased() + "s" : word.uppercased()
        }
        return capitals == 1 ? word.capitalizingFirst : word
    }
}

/// The end of a word, compared as bytes.
struct WordEnd {
    let bytes: [UInt8]
    let word: String

    init(_ word: String) {
        self.word = word
        bytes = Array(word.utf8)
    }

    func has(_ suffix: StaticString) -> Bool {
        let count = suffix.utf8CodeUnitCount
        guard bytes.count >= count else { return false }
        return suffix.withUTF8Buffer { bytes.suffix(count).elementsEqual($0) }
    }

    /// The word with its last `count` bytes replaced.
    func dropping(_ count: Int, adding suffix: String = "") -> String {
        String(decoding: bytes.dropLast(count), as: UTF8.self) + suffix
    }

    /// Whether the letter `offset` places before the end is a consonant.
    func hasConsonant(beforeEnd offset: Int) -> Bool {
        guard bytes.count > offset else { return false }
        return !"aeiou".utf8.contains(bytes[bytes.count - 1 - offset])
    }
}
