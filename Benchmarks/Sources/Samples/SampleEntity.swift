/// One entity of a sample schema.
package struct SampleEntity {
    package let name: String
    package let documentation: String
    /// Twelve of them; the identity is the first.
    package private(set) var attributes: [SampleAttribute]
    package internal(set) var parent: SampleRelationship!
    package internal(set) var children: SampleRelationship!

    package var identity: SampleAttribute { attributes[0] }

    /// The property that holds the identity of the parent.
    package var parentKey: String { parent.name + "ID" }

    init(number: Int, seed: UInt64) {
        var random = SplitMix64(state: seed &* 0x1_0000_0001 &+ UInt64(number))
        name = EntityNames.name(number)
        documentation = EntityNames.documentation(number)
        attributes = SampleAttributes.twelve(using: &random)
    }

    /// What differs in the variant of a schema with one entity changed.
    mutating func widenTitle() {
        attributes[1].maximumLength = 250
    }
}

/// One end of a relationship.
package struct SampleRelationship {
    package let name: String
    package let destination: String
    package let inverse: String
    /// The type of the destination's identity.
    package let keyType: SampleType
    /// Whether the JSON of the entity tells it: as a key for the parent, as whole records for the children.
    package let isOnWire: Bool
}

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
