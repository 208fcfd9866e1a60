/// Types of modules that an app imports beside generated code. Swift cannot decide between a public type with one of
/// these names and that of the module. (It prefers any other module to `Swift` and `_Concurrency`.)
extension ReservedNames {
    static let ambiguous = foundation.union(exported)

    /// The types of Foundation (on Apple platforms, these include FoundationNetworking and FoundationXML) whose names
    /// have one or two words and do not begin with `NS`: `swift symbolgraph-extract -module-name Foundation`.
    static let foundation = Set(
        """
        AffineTransform AlignmentOptions AttributeContainer AttributeScope AttributeScopes AttributedString
        AttributedSubstring BlockOperation Bundle CGFloat CGPoint CGRect CGSize Calendar CharacterSet CocoaError
        CodableConfiguration ComparableComparator Comparator ComparisonResult ContiguousBytes Data DataProtocol Date
        DateComponents DateFormatter DateInterval Decimal Dimension EnergyFormatter Expression FileHandle
        FileManager FileWrapper FormatStyle Formatter HTTPCookie HTTPURLResponse Host IndexPath IndexSet
        InflectionRule InputStream JSONDecoder JSONEncoder JSONSerialization LengthFormatter ListFormatter Locale
        LocalizedError MachError MachPort MassFormatter Measurement MeasurementFormatter MessagePort Morphology
        NetService Notification NotificationCenter NotificationQueue NumberFormatter Operation OperationQueue
        OutputStream POSIXError ParseStrategy Pipe Port PortDelegate PortMessage Predicate PredicateBindings
        PredicateError PredicateExpression PredicateExpressions PresentationIntent Process ProcessInfo Progress
        ProgressKind ProgressReporting RecoverableError ReferenceConvertible RunLoop Scanner SocketPort
        SortComparator SortDescriptor SortOrder Stream StreamDelegate StringStyle StringTransform Thread
        TimeInterval TimeZone Timer URL URLCache URLComponents URLCredential URLError URLProtocol URLRequest
        URLResponse URLSession UUID UndoManager Unit UnitAcceleration UnitAngle UnitArea UnitConverter
        UnitDispersion UnitDuration UnitEnergy UnitFrequency UnitIlluminance UnitLength UnitMass UnitPower
        UnitPressure UnitSpeed UnitTemperature UnitVolume UserDefaults ValueTransformer XMLDTD XMLDocument
        XMLElement XMLNode XMLParser
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// The types of LockstepStore, LockstepSync and GRDB whose names have one word.
    static let exported = Set(
        """
        Association Attachment Column Configuration Context Cursor Database Inflections Leftover Limits Model Outbox Page
        Record Redaction Remote Representation Row Statement Store Sync Table Unsectioned Validatable Validators
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
