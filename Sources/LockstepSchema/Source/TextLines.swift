/// The lines of a UTF-8 text, separated as in YAML, so that line numbers agree with libyaml's marks: at LF, CR, CR LF,
/// NEL, LS and PS. A byte order mark at the beginning belongs to no line.
struct TextLines {
    private let bytes: [UInt8]
    /// The bytes of each line, without its line break.
    private var ranges: [Range<Int>] = []

    var count: Int { ranges.count }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var start = byteOrderMarkCount(bytes)
        var index = start
        while index < bytes.count {
            let length = breakLength(at: index)
            if length > 0 {
                ranges.append(start..<index)
                start = index + length
            }
            index += max(length, 1)
        }
        ranges.append(start..<bytes.count)
    }

    /// The text of a line, counted from 1; empty if there is no such line. Invalid UTF-8 is replaced by U+FFFD.
    func line(_ number: Int) -> String {
        guard ranges.indices.contains(number - 1) else { return "" }
        return String(decoding: bytes[ranges[number - 1]], as: UTF8.self)
    }

    /// The position of the byte at `offset`. Continuation bytes of a scalar belong to the column of its first byte.
    func position(atByte offset: Int) -> SourcePosition {
        let index = max(0, (ranges.firstIndex { $0.lowerBound > offset } ?? ranges.count) - 1)
        let before = bytes[ranges[index].lowerBound..<max(ranges[index].lowerBound, min(offset, bytes.count))]
        return SourcePosition(line: index + 1, column: before.count { $0 & 0xC0 != 0x80 } + 1)
    }

    /// The bytes of a line, counted from 1, without its line break.
    func range(ofLine number: Int) -> Range<Int> {
        ranges.indices.contains(number - 1) ? ranges[number - 1] : bytes.count..<bytes.count
    }

    /// The offset of the byte at `position`.
    func offset(of position: SourcePosition) -> Int {
        let line = range(ofLine: position.line)
        var column = 1
        return line.first { index in
            if bytes[index] & 0xC0 != 0x80 { column += 1 }
            return column > position.column
        } ?? line.upperBound
    }

    /// `position` or, if that is after the last text of the file, the end of that text: libyaml places the end of a
    /// file on a separate line, where there is nothing to see.
    func positionOfText(_ position: SourcePosition) -> SourcePosition {
        guard let last = ranges.lastIndex(where: { !$0.isEmpty }), position.line > last + 1 else { return position }
        return self.position(atByte: ranges[last].upperBound)
    }

    private func breakLength(at index: Int) -> Int {
        func byte(_ distance: Int) -> UInt8 { index + distance < bytes.count ? bytes[index + distance] : 0 }
        switch bytes[index] {
        case 0x0A: return 1
        case 0x0D: return byte(1) == 0x0A ? 2 : 1
        case 0xC2: return byte(1) == 0x85 ? 2 : 0
        case 0xE2: return byte(1) == 0x80 && (byte(2) == 0xA8 || byte(2) == 0xA9) ? 3 : 0
        default: return 0
        }
    }
}

/// The length of a UTF-8 byte order mark at the beginning of a file: 3 or 0.
func byteOrderMarkCount(_ bytes: [UInt8]) -> Int {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
}
