extension JSONScanner {
    /// A number as it is written.
    package struct Number {
        package let bytes: UnsafeBufferPointer<UInt8>
        /// The value if it is written as an integer and fits. The sign of `-0` is lost.
        package let integer: Int64?
        /// Whether there is neither a fraction nor an exponent.
        package let isWhole: Bool
    }

    /// Scans a number.
    package mutating func number() throws(JSONSyntaxError) -> Number {
        _ = peek()
        let first = cursor
        let isNegative = cursor < end && cursor.pointee == UInt8(ascii: "-")
        let firstDigit = isNegative ? cursor + 1 : cursor
        // With more than 19 digits it is too great, and an overflow is not used.
        var magnitude: UInt64 = 0
        var position = firstDigit
        while position < end, case let digit = position.pointee &- 0x30, digit < 10 {
            magnitude = magnitude &* 10 &+ UInt64(digit)
            position += 1
        }
        let count = position - firstDigit
        guard count > 0 else { throw isNegative ? error(.badNumber, at: position) : unexpected() }
        if count > 1, firstDigit.pointee == UInt8(ascii: "0") { throw error(.leadingZero, at: firstDigit) }
        var isWhole = true
        if position < end, case let byte = position.pointee | 0x20,
            byte == UInt8(ascii: "e") || position.pointee == 0x2E
        {
            isWhole = false
            position = try endOfFractionAndExponent(from: position)
        }
        cursor = position
        return Number(
            bytes: UnsafeBufferPointer(start: first, count: position - first),
            integer: isWhole ? Self.integer(magnitude, digits: count, isNegative: isNegative) : nil, isWhole: isWhole)
    }

    @inline(__always)
    private static func integer(_ magnitude: UInt64, digits: Int, isNegative: Bool) -> Int64? {
        guard digits < 19 || (digits == 19 && magnitude <= UInt64(Int64.max) + (isNegative ? 1 : 0)) else { return nil }
        let value = Int64(bitPattern: magnitude)
        return isNegative ? 0 &- value : value
    }

    /// Checks `.` and `e`, and the digits that each requires.
    private func endOfFractionAndExponent(
        from first: UnsafePointer<UInt8>
    ) throws(JSONSyntaxError) -> UnsafePointer<UInt8> {
        var position = first
        if position.pointee == UInt8(ascii: ".") { position = try endOfDigits(from: position + 1) }
        guard position < end, position.pointee | 0x20 == UInt8(ascii: "e") else { return position }
        position += 1
        if position < end, position.pointee == UInt8(ascii: "+") || position.pointee == UInt8(ascii: "-") {
            position += 1
        }
        return try endOfDigits(from: position)
    }

    private func endOfDigits(from first: UnsafePointer<UInt8>) throws(JSONSyntaxError) -> UnsafePointer<UInt8> {
        var position = first
        while position < end, position.pointee &- 0x30 < 10 { position += 1 }
        guard position > first else { throw error(.badNumber, at: position) }
        return position
    }
}
