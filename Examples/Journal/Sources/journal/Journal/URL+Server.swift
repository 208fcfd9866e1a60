import ArgumentParser
import Foundation

extension URL {
    /// A server's address as it is entered: `http://127.0.0.1:8080`.
    static func server(_ text: String) throws -> URL {
        guard let url = URL(string: text), url.scheme != nil, url.host() != nil else {
            throw ValidationError("'\(text)' is not an address. Use one such as 'http://127.0.0.1:8080'.")
        }
        return url
    }
}
