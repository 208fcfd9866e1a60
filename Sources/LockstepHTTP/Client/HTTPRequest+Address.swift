package import Foundation
package import HTTPTypes

extension HTTPRequest {
    /// Creates a request for an address that is percent-encoded already.
    package init(_ method: Method, url: URL, headerFields: HTTPFields = [:]) {
        let text = url.absoluteString.prefix { $0 != "#" }
        let afterScheme = text.range(of: "://")?.upperBound ?? text.startIndex
        let authority = text[afterScheme...].prefix { $0 != "/" && $0 != "?" }
        let path = text[authority.endIndex...]
        self.init(
            method: method, scheme: url.scheme?.lowercased(), authority: String(authority),
            path: path.hasPrefix("/") ? String(path) : "/" + path, headerFields: headerFields)
    }

    /// The address as text: `https://example.com/articles?page=2`.
    package var addressText: String { "\(scheme ?? "")://\(authority ?? "")\(path ?? "/")" }

    /// The address; `nil` if it is not valid.
    package var url: URL? { scheme == nil || authority?.isEmpty != false ? nil : URL(string: addressText) }
}
