@testable import LockstepJSON

/// The error of a text that should be one JSON value.
func syntaxError(in bytes: UnsafeBufferPointer<UInt8>) -> JSONSyntaxError? {
    var scanner = JSONScanner(bytes)
    do throws(JSONSyntaxError) {
        try scanner.skipValue()
        try scanner.finish()
        return nil
    } catch {
        return error
    }
}

func syntaxError(in text: String) -> JSONSyntaxError? { syntaxError(in: Array(text.utf8)) }

/// The bytes are in memory that ends where they do.
func syntaxError(in bytes: [UInt8]) -> JSONSyntaxError? {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    defer { copy.deallocate() }
    _ = copy.initialize(from: bytes)
    return syntaxError(in: UnsafeBufferPointer(copy))
}

/// Scans a text.
func scan<Result>(_ json: String, _ body: (inout JSONScanner) throws -> Result) rethrows -> Result {
    var json = json
    return try json.withUTF8 { bytes in
        var scanner = JSONScanner(bytes)
        return try body(&scanner)
    }
}
