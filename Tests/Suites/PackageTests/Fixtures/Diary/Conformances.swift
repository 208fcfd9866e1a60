import LockstepStore

extension Entry: CustomStringConvertible {
    var description: String { heading }
}

protocol Titled {
    var title: String { get }
}

extension Entry: Titled {}

extension Entry: Validatable {
    func validateForSave() throws {
        if title.isEmpty { title = "Untitled" }
        if mood == .happy, bodyText == "" {
            throw ValidationError("a happy entry says why", attribute: "bodyText")
        }
    }
}
