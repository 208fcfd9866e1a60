import Foundation

/// The field `User-Agent` (RFC 9110, 10.1.5): the products that send a request, the most significant one first.
enum UserAgent {
    /// The version of this library. It is the same as in the files of stores.
    static let libraryVersion = "0.2.0"

    /// The app and this library: `Journal/3.1 Lockstep/0.2.0`.
    static let ofApp = text(
        name: Bundle.main.object(forInfoDictionaryKey: "CFBundleName") as? String,
        version: Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String,
        process: ProcessInfo.processInfo.processName)

    /// - Parameters:
    ///   - name: The app's name; `nil` or empty for that of the process, as in tools.
    ///   - version: The app's version; `nil` or empty for none.
    static func text(name: String?, version: String?, process: String) -> String {
        let library = "Lockstep/\(libraryVersion)"
        guard let name = [name, process].lazy.compactMap({ $0.map(token) }).first(where: { !$0.isEmpty }) else {
            return library
        }
        let version = version.map(token) ?? ""
        return "\(name)\(version.isEmpty ? "" : "/\(version)") \(library)"
    }

    /// The text with the characters that the name of a product may have (RFC 9110, 5.6.2); `-` replaces others.
    private static func token(_ text: String) -> String {
        let others = "!#$%&'*+-.^_`|~"
        var token = ""
        for character in text.folding(options: .diacriticInsensitive, locale: nil) {
            if character.isASCII, character.isLetter || character.isNumber || others.contains(character) {
                token.append(character)
            } else if !token.isEmpty, token.last != "-" {
                token.append("-")
            }
        }
        while token.last == "-" { token.removeLast() }
        return token
    }
}
