import Foundation
import HTTPTypes

extension HTTPField.Name {
    static let link = HTTPField.Name("Link")!
}

/// The `Link` fields of an answer (RFC 8288): `<https://example.com/articles?page=2>; rel="next"`.
enum LinkField {
    /// Where the next page is; `nil` where no link says so.
    static func next(_ values: [String]) -> String? {
        values.lazy.flatMap(links).first { $0.relations.contains("next") }?.target
    }

    private static func links(_ value: String) -> [(target: String, relations: [String])] {
        var links: [(target: String, relations: [String])] = []
        var rest = value[...]
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            let target = String(rest[rest.index(after: start)..<end])
            let parameters = parameters(&rest, from: rest.index(after: end))
            // The first counts where there are two (3.3).
            let relation = parameters.first { $0.name == "rel" }?.value ?? ""
            links.append((target, relation.lowercased().split(separator: " ").map(String.init)))
        }
        return links
    }

    /// Takes `; name=value; name="va,lue"` up to the comma before the next link, or the end.
    private static func parameters(
        _ rest: inout Substring, from start: String.Index
    ) -> [(name: String, value: String)] {
        var parameters: [String] = [""]
        var isQuoted = false
        rest = rest[start...]
        while let character = rest.popFirst() {
            switch character {
            case "\"": isQuoted.toggle()
            case "\\" where isQuoted: rest.popFirst().map { parameters[parameters.count - 1].append($0) }
            case ";" where !isQuoted: parameters.append("")
            case "," where !isQuoted: return parameters.map(parameter)
            default: parameters[parameters.count - 1].append(character)
            }
        }
        return parameters.map(parameter)
    }

    private static func parameter(_ text: String) -> (name: String, value: String) {
        let parts = text.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        return (parts.first?.lowercased() ?? "", parts.count > 1 ? parts[1] : "")
    }
}
