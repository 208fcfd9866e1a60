/// Finds the declarations and uses of types in the tokens of a file.
struct DeclarationReader {
    /// What a brace opened.
    private struct Scope {
        /// The path of the type it is the body of; of the enclosing type if it is the body of something else.
        var path: String
        var isType: Bool
        /// Names that are known in here only: generic parameters, types of a function's body.
        var localNames: Set<String> = []
        var parenthesisDepth = 0
    }

    private let tokens: [SwiftToken]
    private var index = 0
    private var scopes = [Scope(path: "", isType: true)]
    private var names = TypeNames()
    /// The scope that the next brace outside of parentheses opens, if a declaration has been read up to it.
    private var pending: Scope?
    private var privateNames: Set<String> = []

    private static let typeKeywords: Set = ["struct", "class", "enum", "protocol", "actor"]
    private static let functionKeywords: Set = ["func", "init", "subscript"]
    private static let modifiers: Set = [
        "public", "package", "internal", "private", "fileprivate", "final", "open", "indirect", "nonisolated",
    ]

    static func read(_ text: String) -> TypeNames {
        var reader = DeclarationReader(tokens: SwiftLexer.tokens(of: text))
        while reader.index < reader.tokens.count { reader.readToken() }
        reader.names.uses = reader.names.uses.filter { !reader.privateNames.contains($0.name) }
        return reader.names
    }

    private init(tokens: [SwiftToken]) {
        self.tokens = tokens
    }

    private func word(at offset: Int = 0) -> String? {
        tokens.indices.contains(index + offset) ? tokens[index + offset].text : nil
    }

    private func isMark(_ mark: Unicode.Scalar, at offset: Int = 0) -> Bool {
        tokens.indices.contains(index + offset) && tokens[index + offset] == .mark(mark)
    }

    private mutating func readToken() {
        defer { index += 1 }
        switch tokens[index] {
        case .mark("{"): openScope()
        case .mark("}"):
            if scopes.count > 1 { scopes.removeLast() }
            pending = nil
        case .mark("("), .mark("["): scopes[scopes.count - 1].parenthesisDepth += 1
        case .mark(")"), .mark("]"): scopes[scopes.count - 1].parenthesisDepth -= 1
        case .mark: break
        case .word(let word): readWord(word)
        }
    }

    private mutating func openScope() {
        let current = scopes[scopes.count - 1]
        guard current.parenthesisDepth == 0, let scope = pending else {
            // A closure or a body without generic parameters sees those of the declaration around it.
            return scopes.append(Scope(path: current.path, isType: false, localNames: pending?.localNames ?? []))
        }
        scopes.append(scope)
        pending = nil
    }

    private mutating func readWord(_ word: String) {
        let isMember = isMark(".", at: -1)
        if Self.typeKeywords.contains(word), !isMember, nextIsTypeName {
            readType()
        } else if word == "extension", nextIsTypeName {
            readExtension()
        } else if (word == "typealias" || word == "associatedtype") && nextIsTypeName {
            declareNext()
            pending = Scope(path: path, isType: false, localNames: genericParameters)
        } else if Self.functionKeywords.contains(word), !isMember {
            // The name of an operator is left for the next turns; it has no generic parameters here.
            if word == "func", self.word(at: 1) != nil { index += 1 }
            pending = Scope(
                path: path, isType: false, localNames: word == "func" && isOperator ? [] : genericParameters)
        } else if word == "var" || word == "case" {
            if scopes[scopes.count - 1].parenthesisDepth == 0 { pending = nil }
        } else if tokens[index].isTypeName, !isMember || isQualifiedByModule {
            use(word)
        }
    }

    private var path: String { scopes[scopes.count - 1].path }

    private var nextIsTypeName: Bool { tokens.indices.contains(index + 1) && tokens[index + 1].isTypeName }

    /// Whether the member's base is a module of this package: `LockstepStore.Context` is a use of `Context`.
    private var isQualifiedByModule: Bool {
        word(at: -2)?.hasPrefix("Lockstep") == true && !isMark(".", at: -3)
    }

    private var isPrivate: Bool {
        var offset = -1
        while let modifier = word(at: offset), Self.modifiers.contains(modifier) {
            if modifier == "private" || modifier == "fileprivate" { return true }
            offset -= 1
        }
        return false
    }

    /// Whether the current token is `func` still: what follows is no name.
    private var isOperator: Bool { word() == "func" }

    /// The generic parameters behind the current token, which is the name of a declaration.
    private var genericParameters: Set<String> {
        let start = isMark("?", at: 1) || isMark("!", at: 1) ? index + 2 : index + 1
        return Self.genericParameters(tokens, from: start).names
    }

    private mutating func readType() {
        let name = declareNext()
        open(path: path.isEmpty ? name : "\(path).\(name)")
    }

    private mutating func readExtension() {
        index += 1
        var extended = word() ?? ""
        use(extended)
        while isMark(".", at: 1), let member = word(at: 2) {
            extended += ".\(member)"
            index += 2
        }
        open(path: extended)
    }

    /// Prepares the scope of a type's body: the current token is the type's name.
    private mutating func open(path: String) {
        let (parameters, end) = Self.genericParameters(tokens, from: index + 1)
        names.members[path, default: []].formUnion(parameters)
        names.parents[path, default: []].formUnion(Self.inheritedNames(tokens, from: end))
        pending = Scope(path: path, isType: true, localNames: parameters)
    }

    /// Declares the name behind the current token, and moves to it.
    @discardableResult
    private mutating func declareNext() -> String {
        let isPrivate = self.isPrivate
        index += 1
        let name = word() ?? ""
        if scopes.count == 1 {
            if isPrivate { privateNames.insert(name) } else { names.declared.insert(name) }
        } else if scopes[scopes.count - 1].isType {
            names.members[path, default: []].insert(name)
        } else {
            scopes[scopes.count - 1].localNames.insert(name)
        }
        return name
    }

    private mutating func use(_ name: String) {
        let open = scopes + [pending].compactMap(\.self)
        guard !open.contains(where: { $0.localNames.contains(name) }) else { return }
        names.uses.insert(TypeNames.Use(name: name, path: open.last?.path ?? ""))
    }
}
