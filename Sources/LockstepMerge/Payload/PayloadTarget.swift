import LockstepJSON

/// What takes the records out of a payload, one after another.
protocol PayloadTarget: AnyObject {
    /// Takes the record that is next, any JSON value, and leaves the scanner behind it.
    ///
    /// - Parameters:
    ///   - index: Its place in the list, counted from 0.
    ///   - key: Its key in a `map`, with quotes around it. The bytes stay until `windowEnds`, as those of the record
    ///     do.
    /// - Throws: `JSONSyntaxError` as it comes from the scanner. Where the record goes on beyond the bytes at hand,
    ///   `recordIsCut` follows.
    func takeRecord(_ scanner: inout JSONScanner, index: Int, key: JSONScanner.Text?) throws

    /// There is one record instead of a list: it says nothing of others.
    func payloadIsOneRecord()

    /// Undoes what the last call of `takeRecord`, which has thrown, has left: the record comes again, from its
    /// beginning.
    func recordIsCut()

    /// Uses up all that points into the payload's bytes: they go away.
    func windowEnds() throws
}

extension PayloadTarget {
    func payloadIsOneRecord() {}
}
