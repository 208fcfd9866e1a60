/// A class with a stored property, in another module than the code that reads it, as models are.
public final class StoredTitle {
    public var title: String

    public init(_ title: String) { self.title = title }
}
