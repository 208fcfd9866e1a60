// The names of the Composable Architecture that an app's file uses, declared as they are there.
public protocol Reducer<State, Action> {
    associatedtype State
    associatedtype Action
}

public struct Effect<Action> {
    public static var none: Effect { Effect() }
}

@MainActor @dynamicMemberLookup public final class Store<State, Action> {
    private let state: State

    public init<R: Reducer>(initialState: @autoclosure () -> State, reducer: () -> R)
    where R.State == State, R.Action == Action { state = initialState() }

    public subscript<Value>(dynamicMember path: KeyPath<State, Value>) -> Value { state[keyPath: path] }

    public func send(_ action: Action) {}
}

public typealias StoreOf<R: Reducer> = Store<R.State, R.Action>

@MainActor public final class TestStore<State, Action> {}

public struct DependencyValues {}
