/// Which names are allowed in a schema: letters, digits and underscores, beginning with a letter or an underscore.
/// Swift allows all of these, as they are or in backticks.
enum Identifier {
    static func isValid(_ name: String) -> Bool {
        isPlain(name) || isValidUnicode(name)
    }

    /// Whether a name consists of ASCII letters, digits and underscores, as nearly all do.
    private static func isPlain(_ name: String) -> Bool {
        guard let first = name.utf8.first, !first.isASCIIDigit else { return false }
        return name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    }

    private static func isValidUnicode(_ name: String) -> Bool {
        var isFirst = true
        for scalar in name.unicodeScalars {
            guard isFirst ? isStart(scalar) : isPart(scalar) else { return false }
            isFirst = false
        }
        return !isFirst
    }

    /// Whether a name begins with a capital, as a type's name must. In scripts without case, any letter is accepted.
    static func startsLikeType(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first else { return false }
        if first.isASCII { return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(UInt8(first.value)) }
        return !first.properties.isLowercase
    }

    /// `name` with an underscore in place of every scalar that is not allowed in a name, for a remedy. `nil` if nothing
    /// is left.
    static func corrected(_ name: String) -> String? {
        var result = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            if isPart(scalar) {
                if result.isEmpty, !isStart(scalar) { result.append("_") }
                result.append(scalar)
            } else if result.last != "_", !result.isEmpty {
                result.append("_")
            }
        }
        while result.last == "_" { result.removeLast() }
        return result.isEmpty ? nil : String(result)
    }

    /// `name` as the name of a type, in UpperCamelCase, if it is not one: `MyApp` for `my app` and `my_app`. `nil` if
    /// it is one, or if nothing is left.
    static func correctedTypeName(_ name: String) -> String? {
        if isValid(name), startsLikeType(name) { return nil }
        guard let plain = corrected(name) else { return nil }
        let words = NameWords(plain).words
        let joined = words.isEmpty ? plain : words.map(\.capitalizingFirst).joined()
        return isValid(joined) && startsLikeType(joined) ? joined : "T" + joined
    }

    private static func isStart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "_": return true
        default:
            guard !scalar.isASCII else { return false }
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: return true
            default: return false
            }
        }
    }

    /// Marks are allowed for scripts that write vowels with them, and for letters that an editor has decomposed.
    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        if ("0"..."9").contains(scalar) || isStart(scalar) { return true }
        guard !scalar.isASCII else { return false }
        switch scalar.properties.generalCategory {
        case .decimalNumber, .nonspacingMark, .spacingMark: return true
        default: return false
        }
    }
}
