/// A place in a payload between two tokens, at which it can be read on.
package struct PayloadPosition: Sendable {
    var location = PayloadReader.Location.beginning
    /// The number of values under the wrapper's key so far.
    var occurrences = 0
    /// The index of the next record in the list.
    var index = 0
    /// The number of records read.
    package internal(set) var recordCount = 0
    var skipped = SkippedValue()
    /// The number of bytes before it.
    var offset = 0

    package init() {}

    /// Whether the next token begins a record.
    var isBeforeRecord: Bool { location == .listMember || location == .mapMember }
}
