public import LockstepStore

/// A name as it stands in a URL: lower case, words joined by hyphens.
public struct Slug: CustomAttribute {
    public var text: String

    public init(stored: String) {
        text = stored
    }

    public var stored: String { text }
}
