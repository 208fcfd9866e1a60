/// A class with a stored property, in the module of the models.
public final class StoredTitle {
    var title: String

    public init(_ title: String) { self.title = title }
}
