public import Foundation
public import LockstepTables

/// Where a response that rejects a request says why.
///
/// ``automatic`` reads the usual forms, so an app describes only its server's own:
///
/// ```swift
/// conventions.errors.envelope = ["result", "failure"]  // {"result": {"failure": {"text": "…", "fields": {…}}}}
/// conventions.errors.messages = ["text"]
/// ```
public struct ErrorFormat: Sendable, Hashable {
    /// The keys that lead to the object with the error. If it is empty, that is the object under `error`, if there is
    /// one. Without such an object, it is the body.
    public var envelope: WirePath
    /// The keys of the text that says what is wrong. The first one with a text counts.
    public var messages: [WirePath]
    /// The keys of texts that are added to it.
    public var details: [WirePath]
    /// The keys of the code. The first one with a text or a number counts.
    public var codes: [WirePath]
    /// The keys of what is wrong with single members: an object of texts or lists of texts by the members' keys, or a
    /// list of objects that each have a member's key and a text.
    public var members: [WirePath]
    /// Whether texts name columns as PostgreSQL does: `null value in column "title"`, `Key (name)=(vegan) already
    /// exists`.
    public var namesColumns: Bool

    public init(
        envelope: WirePath = [],
        messages: [WirePath] = ["detail", "message", "title", "error_description", "error", "errors"],
        details: [WirePath] = ["details", "hint"], codes: [WirePath] = ["code", "type"],
        members: [WirePath] = [
            "errors", "invalid-params", "invalid_params", "invalidParams", "violations", "fields", "details", "detail",
        ],
        namesColumns: Bool = false
    ) {
        self.envelope = envelope
        self.messages = messages
        self.details = details
        self.codes = codes
        self.members = members
        self.namesColumns = namesColumns
    }

    /// The usual forms:
    ///
    /// | | |
    /// |---|---|
    /// | problem+json (RFC 9457) | `{"title": …, "detail": …, "errors": [{"pointer": "#/age", "detail": …}]}` |
    /// | problem+json (RFC 7807) | `{"title": …, "invalid-params": [{"name": "age", "reason": …}]}` |
    /// | Rails | `{"errors": {"title": ["can't be blank"]}}`, `{"errors": ["…"]}`, `{"error": "…"}` |
    /// | JSON:API | `{"errors": [{"detail": …, "source": {"pointer": "/data/attributes/title"}}]}` |
    /// | PostgREST | `{"code": …, "message": …, "details": …, "hint": …}` |
    /// | Django | `{"title": ["This field may not be blank."], "non_field_errors": […]}` |
    /// | others | `{"message": …, "errors": [{"field": "title", "message": …}]}`, `{"error": {"message": …}}` |
    public static let automatic = ErrorFormat()

    /// Reads the body of a response.
    ///
    /// - Returns: The problem; `nil` if it is no JSON object, or describes none in this format.
    public func problem(in body: Data) -> ServerProblem? {
        guard let document = try? JSONValue(json: body), case .object = document else { return nil }
        let named = envelope.keys.isEmpty ? document["error"] : document.value(at: envelope.keys)
        let error = if case .object? = named, let named { named } else { document }
        let text = text(in: error)
        let listed = members.compactMap { error.value(at: $0.keys) }.map { MemberErrors($0) }.first { !$0.isEmpty }
        let found = listed ?? (text == nil ? MemberErrors(listsOf: error) : nil)
        var problem = ServerProblem(
            message: text ?? found.flatMap { $0.general.isEmpty ? nil : $0.general.joined(separator: ", ") },
            code: codes.compactMap { error.value(at: $0.keys)?.shownText }.first { $0 != Self.noType },
            members: found?.members ?? [])
        if namesColumns, let message = problem.message, problem.members.isEmpty {
            problem.members = Self.columns(in: message).map { ServerProblem.Member(path: [$0], messages: [message]) }
            if !problem.members.isEmpty { problem.message = nil }
        }
        return problem.message == nil && problem.members.isEmpty ? nil : problem
    }

    /// The type of a problem that is described by its status only (RFC 9457, 4.2.1).
    private static let noType = "about:blank"

    /// The columns that a text of PostgreSQL names.
    private static func columns(in text: String) -> [String] {
        func names(after start: String, before end: String) -> [String] {
            text.components(separatedBy: start).dropFirst().compactMap { $0.components(separatedBy: end).first }
        }
        let keys = names(after: "Key (", before: ")=").flatMap { $0.components(separatedBy: ", ") }
        return keys.isEmpty ? names(after: "column \"", before: "\"") : keys
    }

    private func text(in error: JSONValue) -> String? {
        guard let message = messages.compactMap({ error.value(at: $0.keys)?.sentence }).first else { return nil }
        let added = details.compactMap { error.value(at: $0.keys)?.sentence }
        return ([message] + added.filter { $0 != message }).joined(separator: "; ")
    }
}

/// The errors of single members in a list or an object of errors.
private struct MemberErrors {
    private(set) var members: [ServerProblem.Member] = []
    /// The errors that concern no single member.
    private(set) var general: [String] = []

    var isEmpty: Bool { members.isEmpty && general.isEmpty }

    init(_ value: JSONValue) {
        switch value {
        case .object(let object): add(object, at: [])
        case .array(let list): for element in list { add(element) }
        default: break
        }
    }

    /// The lists of texts in an object that is nothing but such lists by keys, as in Django.
    init(listsOf value: JSONValue) {
        guard case .object(let object) = value else { return }
        add(object.filter { if case .array = $0.value { true } else { false } }, at: [])
    }

    /// An object of texts by keys.
    private mutating func add(_ object: JSONObject, at path: [String]) {
        for (key, value) in object.sortedMembers {
            let location = path + [key]
            if case .object(let inner) = value, value.errorText == nil {
                add(inner, at: location)
            } else {
                add(value.errorTexts, at: Self.isWhole(key) ? path : location)
            }
        }
    }

    /// An element of a list: a text, or an object with a text and the path of the member.
    private mutating func add(_ element: JSONValue) {
        guard let text = element.errorText else { return }
        add([text], at: element.errorLocation)
    }

    private mutating func add(_ texts: [String], at path: [String]) {
        guard !texts.isEmpty else { return }
        if path.isEmpty {
            general += texts
        } else if let index = members.firstIndex(where: { $0.path == path }) {
            members[index].messages += texts
        } else {
            members.append(ServerProblem.Member(path: path, messages: texts))
        }
    }

    /// Whether a key stands for the whole record: `base` in Rails, `non_field_errors` in Django.
    private static func isWhole(_ key: String) -> Bool { ["base", "non_field_errors", "_", ""].contains(key) }
}

extension JSONValue {
    /// A text that is not empty.
    fileprivate var sentence: String? {
        guard case .string(let text) = self, case let text = text.trimmingCharacters(in: .whitespacesAndNewlines),
            !text.isEmpty
        else { return nil }
        return text
    }

    /// A code, which may be a number.
    fileprivate var shownText: String? {
        if case .integer(let number) = self { String(number) } else { sentence }
    }

    /// The error of one member: a text, or an object with one.
    fileprivate var errorText: String? {
        if let sentence { return sentence }
        let keys = ["detail", "message", "msg", "reason", "description", "title", "error"]
        return keys.compactMap { self[$0]?.sentence }.first
    }

    /// The errors of one member, one or several.
    fileprivate var errorTexts: [String] {
        if case .array(let list) = self { list.compactMap(\.errorText) } else { [errorText].compactMap(\.self) }
    }

    /// The keys of the member that an object with an error concerns; empty for the whole record.
    fileprivate var errorLocation: [String] {
        for pointer in [self["pointer"], self["source"]?["pointer"]] {
            if let text = pointer?.sentence { return Self.keys(in: text) }
        }
        for key in ["field", "name", "attribute", "param", "parameter", "property", "propertyPath", "path", "loc"] {
            if let name = self[key]?.sentence { return name.split(separator: ".").map(String.init) }
            if case .array(let keys)? = self[key] {
                return keys.compactMap(\.shownText).filter { $0 != "body" }
            }
        }
        return []
    }

    /// The keys in a JSON pointer (RFC 6901): `/data/attributes/title` of JSON:API, `#/title` of problem+json.
    private static func keys(in pointer: String) -> [String] {
        let keys = pointer.drop { $0 == "#" }.split(separator: "/").map {
            $0.replacingOccurrences(of: "~1", with: "/").replacingOccurrences(of: "~0", with: "~")
        }
        guard keys.first == "data", ["attributes", "relationships"].contains(keys.dropFirst().first) else {
            return keys
        }
        return Array(keys.dropFirst(2))
    }
}
