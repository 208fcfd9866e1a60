extension NameSpelling {
    /// `name` in this spelling: `imageURL` becomes `image_url`, `imageUrl`, or is unchanged.
    ///
    /// camelCase treats an acronym like any other word (`userID` becomes `userId`), as the JSON of most servers does.
    func spell(_ name: String) -> String {
        switch self {
        case .asWritten: name
        case .snake_case: name.isPlainSnakeCase ? name : name.plainSnakeCase ?? NameWords(name).snakeCase
        case .camelCase: NameWords(name).camelCase
        }
    }

    /// One name from several: `product` and `ID` become `product_id`, `productId`, or `productID`. Each is converted
    /// separately, so that `baseURL` and `ID` are not joined.
    func spell(_ names: String...) -> String {
        switch self {
        case .asWritten: names.dropFirst().reduce(names[0]) { $0 + $1.capitalizingFirst }
        case .snake_case: names.map(spell).joined(separator: "_")
        case .camelCase: names.dropFirst().reduce(spell(names[0])) { $0 + spell($1).capitalizingFirst }
        }
    }
}

extension NameWords {
    var snakeCase: String {
        if words.count == 1, prefix.isEmpty, suffix.isEmpty { return words[0].lowercased() }
        return prefix + words.joined(separator: "_").lowercased() + suffix
    }

    var camelCase: String {
        prefix + words.dropFirst().reduce(words.first?.lowercased() ?? "") { $0 + $1.lowercased().capitalizingFirst }
            + suffix
    }

    /// The spelling for Swift, which keeps acronyms: `ProductReview` becomes `productReview`, `HTMLPage` becomes
    /// `htmlPage`.
    package var lowerCamelCase: String {
        prefix + words.dropFirst().reduce(words.first?.lowercased() ?? "") { $0 + $1.capitalizingFirst } + suffix
    }
}

extension String {
    /// Whether a name has only lowercase ASCII letters, digits and single underscores, so that it is the same in
    /// snake_case. Most names are, and need not be split into words.
    fileprivate var isPlainSnakeCase: Bool {
        var previous: UInt8 = 0
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): break
            case UInt8(ascii: "_") where previous != UInt8(ascii: "_"): break
            default: return false
            }
            previous = byte
        }
        return true
    }

    /// The same result as by `NameWords`, in one pass, for ASCII names without underscores; `nil` for others.
    fileprivate var plainSnakeCase: String? {
        utf8.withContiguousStorageIfAvailable { bytes -> String? in
            guard bytes.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "_") }) else { return nil }
            let boundaries = WordBoundaries(count: bytes.count) { NameWords.letterClass(ofASCII: bytes[$0]) }
            return String(unsafeUninitializedCapacity: 2 * bytes.count) { output in
                var count = 0
                for index in bytes.indices {
                    if index > 0, boundaries.startsWord(at: index) {
                        output[count] = UInt8(ascii: "_")
                        count += 1
                    }
                    let byte = bytes[index]
                    output[count] = NameWords.letterClass(ofASCII: byte) == .capital ? byte | 0x20 : byte
                    count += 1
                }
                return count
            }
        } ?? nil
    }

    /// The string with a capital first letter. The others are unchanged.
    var capitalizingFirst: String {
        guard let first = unicodeScalars.first else { return self }
        if first.isASCII, !first.properties.isLowercase { return self }
        return first.properties.titlecaseMapping + String(unicodeScalars.dropFirst())
    }
}
