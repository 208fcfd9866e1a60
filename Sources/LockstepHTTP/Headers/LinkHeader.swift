package import Foundation

/// The links of a response (RFC 8288): `Link: </articles?page=3>; rel="next", </articles?page=9>; rel="last"`.
package struct LinkHeader: Sendable, Hashable {
    package struct Link: Sendable, Hashable {
        /// The target as it was sent.
        package var target: String
        /// The relation types in lower case: `next`.
        package var relations: [String]
        /// The other parameters, by lowercase names. If a name is repeated, the first is used.
        package var parameters: [String: String]
    }

    package private(set) var links: [Link] = []

    /// Parses a field's value. An unreadable part ends it; the links before that are used.
    package init(_ text: String) {
        var scanner = Scanner(text: text[...])
        while let link = scanner.link() { links.append(link) }
    }

    /// The target of the first link with that relation, resolved against the address of the response.
    package func target(of relation: String, relativeTo address: URL) -> URL? {
        guard let link = links.first(where: { $0.relations.contains(relation) }) else { return nil }
        // An empty reference is the address itself (RFC 3986, 4.4), which `URL` does not parse.
        return link.target.isEmpty ? address : URL(string: link.target, relativeTo: address)?.absoluteURL
    }

    private struct Scanner {
        var text: Substring

        mutating func link() -> Link? {
            skip { $0 == "," || $0.isWhitespace }
            guard text.first == "<", let end = text.firstIndex(of: ">") else { return nil }
            let target = text[text.index(after: text.startIndex)..<end]
            text = text[text.index(after: end)...]
            var link = Link(target: target.trimmingCharacters(in: .whitespaces), relations: [], parameters: [:])
            var hasRelations = false
            while let (name, value) = parameter() {
                if name == "rel", !hasRelations {
                    hasRelations = true
                    link.relations = value.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
                } else if link.parameters[name] == nil, name != "rel" {
                    link.parameters[name] = value
                }
            }
            return link
        }

        private mutating func parameter() -> (name: String, value: String)? {
            skip(\.isWhitespace)
            guard text.first == ";" else { return nil }
            skip { $0 == ";" || $0.isWhitespace }
            let name = take { !"=;,".contains($0) && !$0.isWhitespace }.lowercased()
            skip(\.isWhitespace)
            guard text.first == "=" else { return (name, "") }
            text = text.dropFirst()
            skip(\.isWhitespace)
            return (name, text.first == "\"" ? quoted() : String(take { !";,".contains($0) && !$0.isWhitespace }))
        }

        private mutating func quoted() -> String {
            var value = ""
            text = text.dropFirst()
            while let character = text.popFirst(), character != "\"" {
                if character == "\\" { value.append(text.popFirst() ?? character) } else { value.append(character) }
            }
            return value
        }

        private mutating func skip(_ isSkipped: (Character) -> Bool) { text = text.drop(while: isSkipped) }

        private mutating func take(_ isTaken: (Character) -> Bool) -> Substring {
            let taken = text.prefix(while: isTaken)
            text = text[taken.endIndex...]
            return taken
        }
    }
}
