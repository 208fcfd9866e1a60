import LockstepJSON
import LockstepTables

extension PayloadReader {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Skips the byte order mark that some servers write before UTF-8 (RFC 8259, 8.1 allows a reader to ignore it).
    mutating func skipByteOrderMark(_ scanner: inout JSONScanner, in window: PayloadWindow) throws {
        let first = window.bytes.prefix(Self.byteOrderMark.count)
        if first.elementsEqual(Self.byteOrderMark) {
            scanner.move(to: scanner.start + first.count, depth: 0)
        } else if Self.byteOrderMark.starts(with: first) {
            throw JSONSyntaxError(.unexpectedEnd, at: window.baseOffset + first.count)
        }
        position.location = .payload
    }

    /// Enters the payload.
    mutating func begin(
        _ scanner: inout JSONScanner, in window: PayloadWindow, into target: some PayloadTarget
    ) throws {
        switch (shape, scanner.peek()) {
        case (.records, _): try beginRecords(&scanner, in: window, into: target)
        case (.wrapped, UInt8(ascii: "{")):
            try scanner.open(UInt8(ascii: "{"))
            position.location = .wrapperMemberOrEnd(isFirst: true)
        case (.map, UInt8(ascii: "{")):
            try scanner.open(UInt8(ascii: "{"))
            position.location = .mapMemberOrEnd(isFirst: true)
        case (.map, UInt8(ascii: "[")):
            try scanner.open(UInt8(ascii: "["))
            position.location = .listMemberOrEnd(isFirst: true)
        case (.map, UInt8(ascii: "n")):
            _ = try scanner.null()
            position.location = .end
        default: throw try wrongShape(&scanner, in: window)
        }
    }

    /// Enters the list of records, or reads the record that replaces it.
    mutating func beginRecords(
        _ scanner: inout JSONScanner, in window: PayloadWindow, into target: some PayloadTarget
    ) throws {
        switch scanner.peek() {
        case UInt8(ascii: "["):
            try scanner.open(UInt8(ascii: "["))
            position.location = .listMemberOrEnd(isFirst: true)
        case UInt8(ascii: "{"):
            target.payloadIsOneRecord()
            try takeRecord(&scanner, key: nil, in: window, into: target)
            position.location = afterRecords
        case UInt8(ascii: "n"):
            _ = try scanner.null()
            position.location = afterRecords
        default: throw try wrongShape(&scanner, in: window)
        }
    }

    var afterRecords: Location {
        if case .wrapped = shape { .wrapperMemberOrEnd(isFirst: false) } else { .end }
    }

    mutating func takeWrapperKey(_ scanner: inout JSONScanner) throws {
        guard try isRecordsKey(scanner.key()) else { return skipValue() }
        position.occurrences += 1
        if position.occurrences <= passedOver { return skipValue() }
        guard position.occurrences - passedOver == 1 else { throw RepeatedKey() }
        position.location = .wrapped
    }

    private mutating func skipValue() {
        position.skipped = SkippedValue()
        position.location = .skippedValue
    }

    private func isRecordsKey(_ key: JSONScanner.Text) -> Bool {
        guard case .wrapped(let name) = shape else { return false }
        return key.hasEscapes ? ExactText(key.string) == ExactText(name) : key.bytes.elementsEqual(name.utf8)
    }

    // MARK: Errors

    func missingKey(_ offset: Int) -> PayloadError {
        guard case .wrapped(let name) = shape else { preconditionFailure("Only a wrapper has the key.") }
        return .wrongShape(reason: "the object has no key “\(name)”", offset: offset)
    }

    /// The error for a value that is not what the shape requires, or that is not JSON.
    private func wrongShape(_ scanner: inout JSONScanner, in window: PayloadWindow) throws -> PayloadError {
        let offset = scanner.offset
        let found: String
        switch scanner.peek() {
        case UInt8(ascii: "\""): found = "a string"
        case UInt8(ascii: "["): found = "an array"
        case UInt8(ascii: "{"): found = "an object"
        case UInt8(ascii: "n"): found = "null"
        case UInt8(ascii: "t"), UInt8(ascii: "f"): found = "true or false"
        default: found = "a number"
        }
        try refuseBrokenScalar(&scanner, in: window)
        let wanted: String
        switch shape {
        case .records: wanted = "an array of records or one record"
        case .wrapped(let name) where position.location == .wrapped:
            wanted = "an array of records or one record under “\(name)”"
        case .wrapped(let name): wanted = "an object with the key “\(name)”"
        case .map: wanted = "an object of records by their identities"
        }
        return .wrongShape(reason: "found \(found) instead of \(wanted)", offset: offset)
    }

    /// Throws if a scalar is not JSON: that is reported rather than its type. Arrays and objects are not checked, nor
    /// are texts beyond the limit.
    private func refuseBrokenScalar(_ scanner: inout JSONScanner, in window: PayloadWindow) throws {
        if [UInt8(ascii: "["), UInt8(ascii: "{")].contains(scanner.peek()) { return }
        let start = scanner.cursor - scanner.start
        let bytes = UnsafeBufferPointer(rebasing: window.bytes[start...].prefix(Self.scalarLimit))
        let hasAll = window.isLast && start + bytes.count == window.bytes.count
        let part = PayloadWindow(bytes: bytes, baseOffset: window.baseOffset + start, isLast: hasAll)
        var value = JSONScanner(bytes, baseOffset: part.baseOffset)
        do {
            try value.skipValue()
            if position.location == .payload { try value.finish() }
            if hasAll || value.cursor < value.end { return }
        } catch {
            guard part.mayEndTooEarly(error) else { throw error }
        }
        // With more bytes, the error may be another one.
        if bytes.count < Self.scalarLimit { throw JSONSyntaxError(.unexpectedEnd, at: value.offset) }
    }

    /// The maximum number of bytes that are checked of a value in place of the records.
    private static let scalarLimit = 64 * 1024
}
