import LockstepJSON

/// Receives the records of a payload, one after another.
protocol PayloadTarget: AnyObject {
    /// Reads the next record, which may be any JSON value, and moves the scanner past it.
    ///
    /// - Parameters:
    ///   - index: Its index in the list, starting at 0.
    ///   - key: Its key in a `map`, in quotes. The bytes are valid until `windowEnds`, as are those of the record.
    /// - Throws: Any `JSONSyntaxError` of the scanner. If the record continues beyond the window, `recordIsCut` is
    ///   called next.
    func takeRecord(_ scanner: inout JSONScanner, index: Int, key: JSONScanner.Text?) throws

    /// Whether it takes no more records now. The reader pauses before the next one.
    var isFull: Bool { get }

    /// The payload is one record instead of a list: it contains no information about others.
    func payloadIsOneRecord()

    /// Undoes the effects of the last call of `takeRecord`, which has thrown: the record is read again from its
    /// beginning.
    func recordIsCut()

    /// Processes everything that points into the payload's bytes, which become invalid.
    func windowEnds() throws
}

extension PayloadTarget {
    var isFull: Bool { false }
    func payloadIsOneRecord() {}
}
