/// Something of the sources that is not read.
struct SwiftUnread {
    /// The path of the type that it is a part of; `nil` if it is in none.
    var owner: [String]?
    /// Of all files, from 1.
    var line: Int?
    let text: String
    let help: String
}
