public import Foundation
public import LockstepStore

/// An amount in the shop's currency: a type of an app's own, stored and sent as a decimal.
public struct Money: CustomAttribute {
    public var amount: Decimal

    public init(stored: Decimal) {
        amount = stored
    }

    public var stored: Decimal { amount }
}
