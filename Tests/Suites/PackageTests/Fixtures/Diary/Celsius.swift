public import LockstepStore

/// The app's own type of an attribute.
public struct Celsius: CustomAttribute {
    public var degrees: Double

    public init(stored: Double) { degrees = stored }

    public var stored: Double { degrees }
}
