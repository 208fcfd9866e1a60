/// Types of modules that an app imports beside generated code. Swift cannot decide between a public type with one of
/// these names and that of the module. (It prefers any other module to `Swift` and `_Concurrency`.)
extension ReservedNames {
    static let ambiguous: [(module: String, types: Set<String>)] = [
        ("Foundation", foundation), ("GRDB, which Lockstep exports,", grdb), ("Lockstep", lockstep),
        ("Observation", ["Observable", "ObservationRegistrar", "ObservationTracking"]),
    ]

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

    /// The public types of LockstepUI, and of the modules of Lockstep that it exports.
    static let lockstep = Set(
        """
        Attachment AttachmentBody AttachmentDownloads AttachmentRemote AttachmentTransfer AttributeColumn
        AttributeOrdering AttributeTotal AttributeValue AuthorizedClient AverageableAttribute BatchResult
        ClosedEnum ComparedRepresentation CompiledSchema ConflictEntry ConflictJournal ConflictPolicies
        ConflictPolicy ConflictRetention ConversionError CurrentRecord CustomAttribute DateFormat Day
        DecimalLiteral EntityDescription EntityMerge EntityType ErrorFormat EventStreamLimits FeedPage
        FetchResponse FileAttachment FileRemote FirebaseRemote HTTPAnswer HTTPAttachments HTTPBody HTTPClient
        HTTPClientResponse HTTPLimits HTTPTimeouts HookContext IdentityValue JSONExchange JSONObject JSONServer
        JSONSyntaxError JSONValue JSONWritingError Leftover LimitViolation Limits LiveRecord LiveResults
        LossyRepresentations ManagedObject ManagedObjectContext MergeCustomization MergeError MergeNote
        MergeOperations MergeOptions MergeOutcome MergePolicy MergeProgress MergeScope MergeSummary
        MergeSwitches MergeTrace MigrationCost MigrationMode MissingKeys Model ModelRequest NestedDeletion
        NetworkPath NoRelationships OmittedKeys OpenEnum Outbox OutboxStatus OutgoingChange Page PageCursor
        PayloadShape PendingChange PendingChangesAtSignOut PostgRESTRemote PrefetchPath PrefetchRequest
        PullLimits PullSummary PushSummary RESTConventions RESTPaging RESTRemote RecordSource RecordState
        Redaction RelationshipHandle Remote RemoteChanges RemoteEntity RemoteEvent RemoteIdentity RemoteRequest
        RemoteTraits Representation Representations RepresentationsSource Results ResultsDifference ResultsPlace
        ResultsPosition ResultsRows ResultsSection ResultsSnapshot ResultsSource RetrySchedule RowConversion
        RowReader RowRepresentation RowWriter RunOptions SchemaHeader SchemaLiteral SendResponse ServerProblem
        ServerSentEvent ServerSentEvents SkippedRecord Store StoreError StoreFinding StoreInspection
        StoreLocation StoreMigration StoreSchema SummableAttribute SupabaseRemote Sync SyncAttention SyncClock
        SyncDiagnostic SyncError SyncExchange SyncIndicator SyncProgress SyncState SyncStatus SystemClock
        SystemNetworkPath ToMany TokenProvider URLSessionClient UndoBridge UndoHistory UniqueValuePolicy
        Unsectioned Validatable ValidationError Validators WireObject WirePath WireReader WireSource WireTarget
        WireWriter
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// The public types of GRDB 7, which LockstepStore exports.
    static let grdb = Set(
        """
        AdaptedFetchRequest AggregatingRequest AllColumns AllColumnsExcluding AnyCursor AnyDatabaseCancellable
        AnyDatabaseReader AnyDatabaseRegionConvertible AnyDatabaseWriter AnyFetchRequest AnySQLJSONExpressible
        Association AssociationAggregate AssociationToMany AssociationToOne AsyncValueObservation
        AsyncValueObservationScheduler BelongsToAssociation Column ColumnAssignment ColumnDefinition
        ColumnExpression ColumnInfo ColumnMapping CommonTableExpression Configuration Cursor
        CustomTransactionClock Database DatabaseAggregate DatabaseBackupProgress DatabaseCancellable
        DatabaseCollation DatabaseColumnDecodingStrategy DatabaseColumnEncodingStrategy DatabaseCursor
        DatabaseDataDecodingStrategy DatabaseDataEncodingStrategy DatabaseDateComponents
        DatabaseDateDecodingStrategy DatabaseDateEncodingStrategy DatabaseError DatabaseEvent DatabaseEventKind
        DatabaseFunction DatabaseFuture DatabaseMigrator DatabaseObjectID DatabasePool DatabasePreUpdateEvent
        DatabasePublishers DatabaseQueue DatabaseReader DatabaseRegion DatabaseRegionConvertible
        DatabaseRegionObservation DatabaseSchemaID DatabaseSchemaSource DatabaseSnapshot DatabaseSnapshotPool
        DatabaseSnapshotReader DatabaseUUIDEncodingStrategy DatabaseValue DatabaseValueConvertible
        DatabaseValueCursor DatabaseWriter DebugDumpFormat DefaultTransactionClock
        DelayedMainActorValueObservationScheduler DerivableRequest DropFirstCursor DropWhileCursor DumpFormat
        DumpStream DumpTableHeaderOptions EmptyRowAdapter EncodableRecord EnumeratedCursor FTS3 FTS3Pattern
        FTS3TableDefinition FTS3TokenizerDescriptor FTS4 FTS4ColumnDefinition FTS4TableDefinition FTS5
        FTS5ColumnDefinition FTS5CustomTokenizer FTS5Pattern FTS5TableDefinition FTS5TokenCallback
        FTS5TokenFlags FTS5Tokenization FTS5Tokenizer FTS5TokenizerDescriptor FTS5WrapperTokenCallback
        FTS5WrapperTokenizer FastDatabaseValueCursor FetchRequest FetchableRecord FetchableRecordDecoder
        FilterCursor FilteredRequest FlattenCursor ForeignKey ForeignKeyDefinition ForeignKeyInfo
        ForeignKeyViolation GRDBSendableMetatype HasManyAssociation HasManyThroughAssociation HasOneAssociation
        HasOneThroughAssociation ImmediateValueObservationScheduler IndexInfo IndexOptions Inflections
        InsertionSuccess JSONColumn JSONDumpFormat JoinAssociation JoinableRequest LineDumpFormat ListDumpFormat
        MapCursor MutablePersistableRecord OrderedRequest PersistableRecord PersistenceConflictPolicy
        PersistenceContainer PersistenceError PersistenceSuccess PrefixCursor PrefixWhileCursor PreparedRequest
        PrimaryKeyInfo QueryInterfaceRequest QuoteDumpFormat RangeRowAdapter Record RecordCursor RecordError
        RenameColumnAdapter ResultCode Row RowAdapter RowCursor RowDecodingError SQL SQLDateModifier
        SQLExpressible SQLExpression SQLInterpolation SQLJSONExpressible SQLOrdering SQLOrderingTerm SQLRequest
        SQLSelectable SQLSelection SQLSpecificExpressible SQLStatementCursor SQLSubquery SQLSubqueryable
        SQLiteConnection SQLiteStatement ScopeAdapter SelectionRequest SharedValueObservation
        SharedValueObservationExtent Statement StatementArguments StatementBinding StatementColumnConvertible
        SuffixRowAdapter Table TableAlias TableAliasBase TableAlteration TableDefinition TableOptions
        TableRecord TableRequest TaskValueObservationScheduler TransactionClock TransactionObserver TypedRequest
        UpsertUpdateStrategy ValueObservation ValueObservationMainActorScheduler ValueObservationScheduler
        ValueReducer ValueReducers ViewOptions VirtualTableConfiguration VirtualTableModule VirtualTableOptions
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
