/// The words of a name, in order: `imageURL` has `image` and `URL`, `HTMLTidy` has `HTML` and `Tidy`.
///
/// Words begin at an underscore, at a capital after a lowercase letter or a digit, and at the last capital of a run
/// that is followed by a lowercase letter. Acronyms are one word, including their plural (`tagIDs`) and a single
/// capital after a digit (`3D`). Underscores at either end belong to no word; they are kept, because `_id` and `id` are
/// different names.
package struct NameWords {
    /// The underscores before the first word.
    private(set) var prefix = ""
    private(set) var words: [String] = []
    /// The underscores after the last word.
    private(set) var suffix = ""

    package init(_ name: String) {
        let bytes = Array(name.utf8)
        if bytes.allSatisfy({ $0 < 0x80 }) {
            split(bytes, classify: Self.letterClass(ofASCII:)) { String(decoding: $0, as: UTF8.self) }
        } else {
            split(Array(name.unicodeScalars), classify: Self.letterClass(of:)) { slice in
                var word = String.UnicodeScalarView()
                word.append(contentsOf: slice)
                return String(word)
            }
        }
    }

    enum LetterClass {
        case small, capital, digit, underscore
        /// A lowercase `s`, which may be the plural of an acronym.
        case smallS

        var isSmall: Bool { self == .small || self == .smallS }
    }

    private mutating func split<Letter>(
        _ letters: [Letter], classify: (Letter) -> LetterClass, text: (ArraySlice<Letter>) -> String
    ) {
        let classes = letters.map(classify)
        let boundaries = WordBoundaries(count: letters.count) { classes[$0] }
        guard let first = classes.firstIndex(where: { $0 != .underscore }),
            let last = classes.lastIndex(where: { $0 != .underscore })
        else {
            prefix = text(letters[...])
            return
        }
        prefix = text(letters[..<first])
        suffix = text(letters[(last + 1)...])
        var start = first
        for index in first...last {
            if classes[index] == .underscore {
                if start < index { words.append(text(letters[start..<index])) }
                start = index + 1
            } else if index > start, boundaries.startsWord(at: index) {
                words.append(text(letters[start..<index]))
                start = index
            }
        }
        words.append(text(letters[start...last]))
    }

    static func letterClass(ofASCII byte: UInt8) -> LetterClass {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): .capital
        case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
        case UInt8(ascii: "_"): .underscore
        case UInt8(ascii: "s"): .smallS
        default: .small
        }
    }

    private static func letterClass(of scalar: Unicode.Scalar) -> LetterClass {
        if scalar.isASCII { return letterClass(ofASCII: UInt8(scalar.value)) }
        if scalar.properties.isUppercase || scalar.properties.generalCategory == .titlecaseLetter { return .capital }
        return scalar.properties.generalCategory == .decimalNumber ? .digit : .small
    }
}

/// Determines where words begin, from the classes of a name's letters.
struct WordBoundaries {
    let count: Int
    let letterClass: (Int) -> NameWords.LetterClass

    /// Whether a capital at `index`, which is not the first letter, begins a word.
    func startsWord(at index: Int) -> Bool {
        guard letterClass(index) == .capital else { return false }
        let next = classIfAny(index + 1)
        switch letterClass(index - 1) {
        case .small, .smallS, .underscore:
            return true
        case .digit:
            // `3D` and `3DView`, but `line1ID` and `utf8String`.
            let isLone = !isSmall(next) && next != .capital
            return !(isLone || next == .capital && isSmall(classIfAny(index + 2)))
        case .capital:
            // `HTMLTidy`, but `tagIDs`.
            let isPluralOfAcronym = next == .smallS && !isSmall(classIfAny(index + 2))
            return isSmall(next) && !isPluralOfAcronym
        }
    }

    private func isSmall(_ letterClass: NameWords.LetterClass?) -> Bool { letterClass?.isSmall ?? false }

    private func classIfAny(_ index: Int) -> NameWords.LetterClass? {
        index < count ? letterClass(index) : nil
    }
}
