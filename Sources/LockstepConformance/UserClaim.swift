import Foundation
import LockstepJSON

/// The user in a token, as a server reads it.
package enum UserClaim {
    /// The claim of a JSON web token (RFC 7519). Its signature is not checked: the server does that.
    ///
    /// - Returns: `nil` if the token is not a JSON web token, or does not have the claim.
    package static func identity(in token: String, claim: String) -> String? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        // The alphabet of RFC 4648, 5, without padding.
        var text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        guard let claims = Data(base64Encoded: text).flatMap({ try? JSONValue(json: $0) }) else { return nil }
        switch claims[claim] {
        case .string(let identity)?: return identity
        case .integer(let identity)?: return String(identity)
        default: return nil
        }
    }
}
