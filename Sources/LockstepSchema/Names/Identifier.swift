/// What may be a name in a schema: letters, digits and underscores, the first not a digit. Swift takes all of these,
/// as they are or in backticks.
enum Identifier {
    static func isValid(_ name: String) -> Bool {
        isPlain(name) || isValidUnicode(name)
    }

    /// ASCII letters, digits and underscores: what nearly every name is.
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

    /// Whether the first letter of a type's name is a capital. Scripts without case have none to ask for.
    static func startsLikeType(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first else { return false }
        if first.isASCII { return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(UInt8(first.value)) }
        return !first.properties.isLowercase
    }

    /// `name` with every scalar that cannot be in a name as an underscore: what a remedy suggests. `nil` if nothing
    /// is left.
    static func mended(_ name: String) -> String? {
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

    /// Marks are let in for scripts that write vowels with them, and for letters that an editor has decomposed.
    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        if ("0"..."9").contains(scalar) || isStart(scalar) { return true }
        guard !scalar.isASCII else { return false }
        switch scalar.properties.generalCategory {
        case .decimalNumber, .nonspacingMark, .spacingMark: return true
        default: return false
        }
    }
}
