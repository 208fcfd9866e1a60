/// A word or a mark of Swift source. Comments and the text of string literals are no tokens; what is interpolated is.
enum SwiftToken: Equatable {
    /// An identifier or a keyword, without backticks.
    case word(String)
    /// One scalar of punctuation or of an operator.
    case mark(Unicode.Scalar)

    /// The word, if it is one.
    var text: String? {
        if case .word(let text) = self { text } else { nil }
    }

    /// Whether it is a word that is spelled like a type, with a capital first.
    var isTypeName: Bool { text?.first?.isUppercase ?? false }
}
