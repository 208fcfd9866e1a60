/// How deep a text of Swift is nested. The parser calls itself for each bracket and for each list of generic arguments.
struct SwiftNesting {
    private(set) var depth = 0
    /// The generic arguments that are open directly in each open bracket; the first are in none.
    private var angles = [0]
    /// The last byte that is no space.
    private var last: UInt8 = 0

    /// The brackets that are open.
    var level: Int { angles.count }

    mutating func read(_ bytes: [UInt8], at index: Int) {
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return
        case UInt8(ascii: "("), UInt8(ascii: "["): open()
        case UInt8(ascii: "{"):
            endType()
            open()
        case UInt8(ascii: ")"), UInt8(ascii: "]"): close()
        case UInt8(ascii: "}"):
            close()
            endType()
        case UInt8(ascii: "#"):
            let rest = bytes[(index + 1)...]
            if rest.starts(with: "if".utf8) { open() }
            if rest.starts(with: "endif".utf8) { close() }
        default: readOperator(bytes, at: index)
        }
        last = byte
    }

    /// Reads what generic arguments begin with, end with or cannot contain.
    private mutating func readOperator(_ bytes: [UInt8], at index: Int) {
        let byte = bytes[index]
        let before = index > 0 ? bytes[index - 1] : 0
        switch byte {
        case UInt8(ascii: "<") where Self.endsName(last):
            angles[angles.count - 1] += 1
            depth += 1
        case UInt8(ascii: ">") where before != UInt8(ascii: "-") && angles[angles.count - 1] > 0:
            angles[angles.count - 1] -= 1
            depth -= 1
        case UInt8(ascii: ";"), UInt8(ascii: "="): endType()
        // `::` is between a module and a name.
        case UInt8(ascii: ":") where before != byte && !bytes[(index + 1)...].starts(with: ":".utf8): endType()
        case UInt8(ascii: "&") where before == byte, UInt8(ascii: "|") where before == byte: endType()
        default: break
        }
    }

    private mutating func open() {
        angles.append(0)
        depth += 1
    }

    private mutating func close() {
        if angles.count > 1 { depth -= angles.removeLast() + 1 }
    }

    /// Forgets the `<` of comparisons, and those that nothing closes.
    private mutating func endType() {
        depth -= angles[angles.count - 1]
        angles[angles.count - 1] = 0
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "`"), 0x80...:
            true
        default: false
        }
    }
}
