import LockstepJSON

/// A value that is skipped, and checked token by token, so that it may be larger than what fits in memory.
struct SkippedValue {
    /// The closing characters of the open arrays and objects, the innermost last.
    private var closers: [UInt8] = []
    private var next = Next.value

    private enum Next {
        case value, key, memberOrEnd(isFirst: Bool)
    }

    /// The number of open arrays and objects.
    var depth: Int { closers.count }

    /// Reads the next token.
    ///
    /// - Returns: Whether the value is complete.
    mutating func takeToken(_ scanner: inout JSONScanner, in window: PayloadWindow) throws -> Bool {
        switch next {
        case .value: return try takeValue(&scanner, in: window)
        case .key:
            _ = try scanner.key()
            next = .value
        case .memberOrEnd(let isFirst):
            let closer = closers[closers.count - 1]
            if try scanner.isClosed(closer, isFirst: isFirst) {
                closers.removeLast()
                next = .memberOrEnd(isFirst: false)
                return closers.isEmpty
            }
            next = closer == UInt8(ascii: "}") ? .key : .value
        }
        return false
    }

    private mutating func takeValue(_ scanner: inout JSONScanner, in window: PayloadWindow) throws -> Bool {
        switch scanner.peek() {
        case UInt8(ascii: "{"):
            try scanner.open(UInt8(ascii: "{"))
            closers.append(UInt8(ascii: "}"))
        case UInt8(ascii: "["):
            try scanner.open(UInt8(ascii: "["))
            closers.append(UInt8(ascii: "]"))
        default:
            try window.refuseCutNumber(&scanner)
            try scanner.skipValue()
            next = .memberOrEnd(isFirst: false)
            return closers.isEmpty
        }
        next = .memberOrEnd(isFirst: true)
        return false
    }
}
