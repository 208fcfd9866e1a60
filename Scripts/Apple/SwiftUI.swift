// SwiftUI as far as the wrappers and the screens use it, with the signatures of its interface for macOS 14 and iOS 17.
// Where two of them are the same for what is written here (`LocalizedStringKey` and its interpolation), there is one.
// Foundation on Apple platforms has `UndoManager`; the one of Linux does not.
@_exported public import Foundation
@_exported public import Observation

// MARK: Views

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError() }
}

/// A view of the system.
@MainActor @preconcurrency public protocol SystemView: View where Body == Never {}

extension SystemView {
    public var body: Never { fatalError() }
}

@resultBuilder public enum ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        TupleView((repeat each content))
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<First, Second> {
        _ConditionalContent()
    }
    public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<First, Second> {
        _ConditionalContent()
    }
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError() }
}

public struct EmptyView: SystemView { public nonisolated init() {} }
public struct TupleView<T>: SystemView { public nonisolated init(_ value: T) {} }
public struct _ConditionalContent<First, Second>: SystemView { nonisolated init() {} }

@MainActor @preconcurrency public protocol ViewModifier {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
    typealias Content = _ViewModifier_Content<Self>
}

public struct _ViewModifier_Content<Modifier: ViewModifier>: SystemView {}
public struct ModifiedContent<Content, Modifier>: SystemView {}

// MARK: Data

public protocol DynamicProperty {
    mutating func update()
}

extension DynamicProperty {
    public mutating func update() {}
}

@propertyWrapper public struct State<Value>: DynamicProperty {
    public init(wrappedValue value: Value) {}
    public init(initialValue value: Value) {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { fatalError() }
}

extension State where Value: ExpressibleByNilLiteral {
    public init() {}
}

extension State: Sendable where Value: Sendable {}

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { self }
    public init(
        get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) {}
    public static func constant(_ value: Value) -> Binding<Value> { fatalError() }
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        fatalError()
    }
}

@propertyWrapper @dynamicMemberLookup public struct Bindable<Value> {
    private let value: Value
    public var wrappedValue: Value {
        get { value }
        nonmutating set {}
    }
    public var projectedValue: Bindable<Value> { self }
    @available(*, unavailable, message: "The wrapped value must be an object that conforms to Observable")
    public init(wrappedValue: Value) { fatalError() }
}

extension Bindable where Value: AnyObject, Value: Observable {
    public init(wrappedValue: Value) { value = wrappedValue }
    public init(_ wrappedValue: Value) { value = wrappedValue }
    public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject> {
        fatalError()
    }
}

@propertyWrapper public struct Environment<Value>: DynamicProperty {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { fatalError() }
}

extension Environment: Sendable where Value: Sendable {}

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

public struct EnvironmentValues {
    public init() {}
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { fatalError() }
        set {}
    }
    public var undoManager: UndoManager? { nil }
    public var dismiss: DismissAction { fatalError() }
    public var scenePhase: ScenePhase {
        get { fatalError() }
        set {}
    }
}

@MainActor @preconcurrency public struct DismissAction {
    @MainActor @preconcurrency public func callAsFunction() {}
}

public enum ScenePhase: Comparable { case background, inactive, active }

@MainActor open class UndoManager {
    public nonisolated init() {}
    open func undo() {}
    open func redo() {}
    open var canUndo: Bool { false }
    open var canRedo: Bool { false }
    open var groupsByEvent: Bool {
        get { true }
        set {}
    }
    open var groupingLevel: Int { 0 }
    open func beginUndoGrouping() {}
    open func endUndoGrouping() {}
    open func setActionName(_ actionName: String) {}
    open func removeAllActions(withTarget target: Any) {}
    public func registerUndo<TargetType: AnyObject>(
        withTarget target: TargetType, handler: @escaping @MainActor (TargetType) -> Void
    ) {}
}

// MARK: Apps

@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
}

extension App {
    @MainActor @preconcurrency public static func main() {}
}

@MainActor @preconcurrency public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: Scene {}

@resultBuilder public enum SceneBuilder {
    public static func buildExpression<Content: Scene>(_ content: Content) -> Content { content }
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
    public nonisolated init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

public struct BackgroundTask<Request, Response>: Sendable {}

@available(macOS, unavailable)
extension BackgroundTask {
    public static func appRefresh(_ identifier: String) -> BackgroundTask<Void, Void>
    where Request == Void, Response == Void { fatalError() }
}

extension Scene {
    public nonisolated func backgroundTask<D: Sendable, R: Sendable>(
        _ task: BackgroundTask<D, R>, action: @escaping @Sendable (D) async -> R
    ) -> some Scene { WindowGroup { EmptyView() } }
    public nonisolated func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some Scene {
        WindowGroup { EmptyView() }
    }
    public nonisolated func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (V, V) -> Void
    ) -> some Scene { WindowGroup { EmptyView() } }
}

// MARK: Views of the system

public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
    public init(_ value: String) {}
    public init(stringLiteral value: String) {}
}

public struct Text: SystemView, Equatable {
    public nonisolated init(
        _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil
    ) {}
    @_disfavoredOverload public nonisolated init<S: StringProtocol>(_ content: S) {}
    public nonisolated init<F: FormatStyle>(_ input: F.FormatInput, format: F)
    where F.FormatInput: Equatable, F.FormatOutput == String {}
}

public struct Label<Title: View, Icon: View>: SystemView {}

extension Label where Title == Text, Icon == Image {
    public nonisolated init(_ titleKey: LocalizedStringKey, systemImage name: String) {}
    @_disfavoredOverload public nonisolated init<S: StringProtocol>(_ title: S, systemImage name: String) {}
}

public struct Image: SystemView, Equatable { public nonisolated init(systemName: String) {} }

public struct Spacer: SystemView { public nonisolated init(minLength: Double? = nil) {} }

public struct VStack<Content: View>: SystemView {
    public init(
        alignment: HorizontalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> Content
    ) {}
}

public struct HStack<Content: View>: SystemView {
    public init(spacing: Double? = nil, @ViewBuilder content: () -> Content) {}
}

public struct HorizontalAlignment: Equatable, Sendable {
    public static let (leading, center) = (HorizontalAlignment(), HorizontalAlignment())
}

public struct List<SelectionValue: Hashable, Content: View>: SystemView {}

extension List where SelectionValue == Never {
    public init(@ViewBuilder content: () -> Content) {}
    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {}
    public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, ID, RowContent> {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}

extension ForEach: SystemView, View where Content: View {}

@MainActor @preconcurrency public protocol DynamicViewContent: View {}

extension ForEach: DynamicViewContent where Content: View {}

extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

extension ForEach where Content: View {
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content)
    {}
}

extension DynamicViewContent {
    public nonisolated func onDelete(perform action: ((IndexSet) -> Void)?) -> some DynamicViewContent {
        ForEach<[Never], Never, EmptyView>()
    }
}

public struct Section<Parent, Content, Footer> {}

extension Section: SystemView, View where Parent: View, Content: View, Footer: View {}

extension Section where Parent == Text, Content: View, Footer == EmptyView {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {}
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {}
}

extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct Form<Content: View>: SystemView { public init(@ViewBuilder content: () -> Content) {} }
public struct Group<Content> {}

extension Group: SystemView, View where Content: View {
    public nonisolated init(@ViewBuilder content: () -> Content) {}
}

public struct ButtonRole: Equatable, Sendable {
    public static let (destructive, cancel) = (ButtonRole(), ButtonRole())
}

public struct Button<Label: View>: SystemView {
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}

extension Button where Label == Text {
    public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {}
    public init(_ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {}
}

extension Button where Label == SwiftUI.Label<Text, Image> {
    public init(_ titleKey: LocalizedStringKey, systemImage: String, action: @escaping @MainActor () -> Void) {}
}

public struct TextField<Label: View>: SystemView {}

extension TextField where Label == Text {
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {}
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, axis: Axis) {}
}

public enum Axis: Sendable { case horizontal, vertical }

public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: SystemView {}

extension Picker where Label == Text {
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) {}
}

public struct DatePicker<Label: View>: SystemView {}

extension DatePicker where Label == Text {
    public init(_ titleKey: LocalizedStringKey, selection: Binding<Date>) {}
}

public struct ProgressView<Label: View, Value: View>: SystemView {}

extension ProgressView where Label == EmptyView, Value == EmptyView {
    public nonisolated init() {}
    public nonisolated init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0) {}
}

public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: SystemView {}

extension ContentUnavailableView where Label == SwiftUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
    public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil) {}
}

extension ContentUnavailableView where Label == SwiftUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
    public static func search(text: String) -> Self { fatalError() }
}

public struct NavigationStack<Data, Root: View>: SystemView {}

extension NavigationStack where Data == NavigationPath {
    public init(@ViewBuilder root: () -> Root) {}
}

public struct NavigationPath {}

public struct NavigationLink<Label: View, Destination: View>: SystemView {}

extension NavigationLink where Destination == Never {
    public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) {}
}

public struct Color: SystemView, Hashable {
    public static let (red, secondary, accentColor) = (Color(), Color(), Color())
}

public struct Font: Hashable, Sendable {
    public static let (headline, caption, body) = (Font(), Font(), Font())
}

public struct Animation: Equatable, Sendable {
    public static let `default` = Animation()
}

public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
    try body()
}

// MARK: Modifiers

extension View {
    public nonisolated func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> { ModifiedContent() }
    public nonisolated func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        EmptyView()
    }
    public nonisolated func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping () -> Void
    ) -> some View { EmptyView() }
    public nonisolated func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some View { EmptyView() }
    public nonisolated func onAppear(perform action: (() -> Void)? = nil) -> some View { EmptyView() }
    public nonisolated func onDisappear(perform action: (() -> Void)? = nil) -> some View { EmptyView() }
    public nonisolated func task(
        priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { EmptyView() }
    public nonisolated func task<T: Equatable>(
        id value: T, priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { EmptyView() }
    public nonisolated func refreshable(action: @escaping @Sendable () async -> Void) -> some View { EmptyView() }
    public nonisolated func searchable(text: Binding<String>, prompt: LocalizedStringKey) -> some View { EmptyView() }
    public nonisolated func searchable(text: Binding<String>) -> some View { EmptyView() }
    public nonisolated func tag<V: Hashable>(_ tag: V) -> some View { EmptyView() }
    public nonisolated func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { EmptyView() }
    @_disfavoredOverload
    public nonisolated func navigationTitle<S: StringProtocol>(_ title: S) -> some View { EmptyView() }
    public nonisolated func navigationDestination<D: Hashable, C: View>(
        for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View { EmptyView() }
    public nonisolated func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View { EmptyView() }
    public nonisolated func disabled(_ disabled: Bool) -> some View { EmptyView() }
    public nonisolated func font(_ font: Font?) -> some View { EmptyView() }
    public nonisolated func foregroundStyle(_ style: Color) -> some View { EmptyView() }
    public nonisolated func overlay<V: View>(@ViewBuilder content: () -> V) -> some View { EmptyView() }
    public nonisolated func safeAreaInset<V: View>(
        edge: VerticalEdge, spacing: Double? = nil, @ViewBuilder content: () -> V
    ) -> some View { EmptyView() }
    public nonisolated func badge(_ count: Int) -> some View { EmptyView() }
    public nonisolated func sheet<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
    ) -> some View { EmptyView() }
    public nonisolated func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View { EmptyView() }
    public nonisolated func containerBackground<V: View>(
        for container: ContainerBackgroundPlacement, @ViewBuilder content: () -> V
    ) -> some View { EmptyView() }
}

public enum VerticalEdge: Sendable { case top, bottom }

public struct ContainerBackgroundPlacement: Sendable {
    public static let widget = ContainerBackgroundPlacement()
}
