import Foundation

/// How large Swift source is, and how readable its calls are.
struct SourceShape {
    var fileCount = 0
    /// Lines that are neither blank nor comments.
    var codeLineCount = 0
    var functionCount = 0
    /// The functions with two or more parameters without a label, by the paths of their files and their names.
    var unlabelledFunctions: [String] = []
    /// Declarations that are public and in no SPI.
    var publicCount = 0

    /// Measures all Swift files under a folder.
    init(of folder: URL) throws {
        for file in try FileManager.default.swiftFiles(below: folder) { add(file.text, path: "\(file.path): ") }
    }

    /// Measures one file.
    init(_ text: String) { add(text, path: "") }

    private mutating func add(_ text: String, path: String) {
        let lexer = SwiftLexer(text)
        let tokens = lexer.tokens
        fileCount += 1
        codeLineCount += lexer.codeLineCount
        for index in tokens.indices {
            if tokens[index].text == "func" {
                functionCount += 1
                if Self.unlabelledCount(ofFunctionAt: index, in: tokens) > 1 {
                    unlabelledFunctions.append(path + (tokens[index + 1].text ?? "operator"))
                }
            }
            if Self.isPublicDeclaration(at: index, in: tokens) { publicCount += 1 }
        }
    }

    /// How many parameters of a function have no label.
    private static func unlabelledCount(ofFunctionAt start: Int, in tokens: [SwiftToken]) -> Int {
        // An operator's name consists of marks, and none of them is a parenthesis.
        guard let opening = tokens[start...].firstIndex(of: .mark("(")) else { return 0 }
        var (depth, count, isAtStart, isAttribute) = (1, 0, true, false)
        for index in tokens.indices[(opening + 1)...] {
            switch tokens[index] {
            case .mark("("), .mark("["), .mark("{"): depth += 1
            case .mark(")"), .mark("]"), .mark("}"):
                depth -= 1
                if depth == 0 { return count }
            case .mark(","):
                isAtStart = depth == 1
                continue
            case .mark("@") where isAtStart:
                isAttribute = true
                continue
            case .word where isAttribute:
                isAttribute = false
                continue
            case .word("_") where isAtStart: count += 1
            default: break
            }
            isAtStart = false
        }
        return count
    }

    private static let modifiers: Set = [
        "final", "static", "class", "override", "mutating", "nonisolated", "convenience", "required", "consuming",
        "borrowing", "indirect", "private", "package", "set", "async", "unsafe", "prefix",
    ]
    private static let keywords: Set = [
        "func", "var", "let", "init", "subscript", "struct", "class", "enum", "protocol", "actor", "typealias",
    ]

    private static func isPublicDeclaration(at index: Int, in tokens: [SwiftToken]) -> Bool {
        guard let access = tokens[index].text, access == "public" || access == "open" else { return false }
        // `@_spi(Name) public`.
        if index >= 5, tokens[index - 4].text == "_spi", tokens[index - 1] == .mark(")") { return false }
        for token in tokens[(index + 1)...] {
            switch token {
            case .mark("("), .mark(")"): continue
            case .word(let word) where keywords.contains(word): return true
            case .word(let word) where modifiers.contains(word): continue
            default: return false
            }
        }
        return false
    }
}
