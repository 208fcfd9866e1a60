/// Quotes an argument for a shell: unchanged if that is safe, otherwise in single quotes.
func shellQuoted(_ argument: String) -> String {
    let isPlain = argument.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: true
        default: "_./,:=+@%-".utf8.contains(byte)
        }
    }
    if isPlain && !argument.isEmpty { return argument }
    // In single quotes, nothing is special but their end: it's becomes 'it'\''s'.
    return "'" + argument.replacing("'", with: "'\\''") + "'"
}
