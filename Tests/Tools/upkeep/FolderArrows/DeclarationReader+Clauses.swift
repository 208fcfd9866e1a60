extension DeclarationReader {
    /// The names in angle brackets behind a declaration's name, and the index of the token after them.
    ///
    /// - Parameter start: The index of the token behind the name.
    static func genericParameters(_ tokens: [SwiftToken], from start: Int) -> (names: Set<String>, end: Int) {
        guard start < tokens.count, tokens[start] == .mark("<") else { return ([], start) }
        var names: Set<String> = []
        var depth = 0
        var index = start
        var isName = false
        repeat {
            switch tokens[index] {
            case .mark("<"):
                depth += 1
                isName = depth == 1
            // The arrow of a function type closes nothing.
            case .mark(">") where tokens[index - 1] != .mark("-"): depth -= 1
            case .mark(","): isName = depth == 1
            case .word(let name) where isName && tokens[index].isTypeName:
                names.insert(name)
                isName = false
            default: break
            }
            index += 1
        } while depth > 0 && index < tokens.count
        return (names, index)
    }

    /// The names behind the colon of a type: what it inherits from or conforms to.
    ///
    /// - Parameter start: The index of the token behind the type's name and generic parameters.
    static func inheritedNames(_ tokens: [SwiftToken], from start: Int) -> Set<String> {
        guard start < tokens.count, tokens[start] == .mark(":") else { return [] }
        let clause = tokens[start...].prefix { $0 != .mark("{") && $0 != .word("where") }
        return Set(clause.filter(\.isTypeName).compactMap(\.text))
    }
}
