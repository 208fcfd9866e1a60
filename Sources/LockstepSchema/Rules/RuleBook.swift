/// Every rule, in the order of the catalogue. The order of diagnostics does not depend on it.
let rules: [any Rule.Type] = [
    // Names
    InvalidIdentifier.self, LowerCaseName.self, ReservedName.self, ReservedTypeName.self, AmbiguousTypeName.self,
    TypeNameClash.self, MemberNamedLikeType.self, NameClash.self, ColumnClash.self, KeyClash.self,
    KeyInsideAnother.self, FormerKeyClash.self, TableClash.self, ReservedTable.self, UnusableName.self,
    // Enums
    EmptyEnum.self, DuplicateCase.self, DuplicateRawValue.self, RawValueOverflow.self, ReservedCase.self,
    // Types, defaults and limits
    UnknownType.self, WrongDefault.self, UnknownCase.self, DefaultOutsideLimits.self,
    LimitDoesNotFit.self, WrongLimit.self, LimitsCrossed.self, WireDoesNotFit.self, BadDatePattern.self,
    OptionDoesNotFit.self, MissingDefault.self, RenamedFromExisting.self, OldestAboveVersion.self,
    // Inheritance
    UnknownEntity.self, AbstractDestination.self, ExtendsLoop.self, ExtendsConcrete.self, OverrideDiffers.self,
    AbstractOption.self,
    // Relationships
    UnknownInverse.self, MissingInverse.self, InverseElsewhere.self, InverseClaimedTwice.self, InverseOfItself.self,
    RequiredCycle.self,
    RequiredNullified.self, DestinationWithoutIdentity.self, EmbeddingCycle.self, RelationshipOption.self,
    UnknownSortAttribute.self, OrderNotSent.self, NestedWithoutIdentity.self,
    // Identities and indexes
    UnknownIdentityAttribute.self, OptionalIdentity.self, UnsuitableIdentity.self, UnsuitableLocalIdentity.self,
    IDNotIdentity.self,
    UnknownVersionAttribute.self, UnsuitableVersion.self, TogetherDoesNotFit.self, UnknownIndexMember.self,
    UnsuitableMember.self, RepeatedMember.self,
    // Scopes and access
    MissingScope.self, UnknownScope.self, UnsuitableScope.self, ScopeDoesNotFit.self, MissingAccess.self,
    UnsuitableAccess.self, BadAccessPath.self,
]
