// The part of the standard library that moves values along. Queries over
// sequences are members of sequences here.
using System;

public interface IEnumerable<T> {
    T __elem__; T __index__;
    IEnumerable<T> Where(Func<T, bool> f);
    IEnumerable<T> Where(Func<T, int, bool> f);
    IEnumerable<R> Select<R>(Func<T, R> f);
    IEnumerable<R> SelectMany<R>(Func<T, IEnumerable<R>> f);
    IEnumerable<T> Distinct(); IEnumerable<T> Reverse(); IEnumerable<T> Skip(int n); IEnumerable<T> Take(int n);
    IEnumerable<T> SkipWhile(Func<T, bool> f); IEnumerable<T> TakeWhile(Func<T, bool> f);
    IEnumerable<T> Concat(IEnumerable<T> o); IEnumerable<T> Union(IEnumerable<T> o); IEnumerable<T> Except(IEnumerable<T> o);
    IEnumerable<T> Intersect(IEnumerable<T> o); IEnumerable<T> DefaultIfEmpty(); IEnumerable<T> AsEnumerable(); IQueryable<T> AsQueryable();
    IEnumerable<T> Append(T x); IEnumerable<T> Prepend(T x);
    IOrderedEnumerable<T> OrderBy<K>(Func<T, K> f); IOrderedEnumerable<T> OrderByDescending<K>(Func<T, K> f);
    IEnumerable<IGrouping<K, T>> GroupBy<K>(Func<T, K> f);
    ILookup<K, T> ToLookup<K>(Func<T, K> f);
    IEnumerable<R> Join<O, K, R>(IEnumerable<O> o, Func<T, K> a, Func<O, K> b, Func<T, O, R> f);
    IEnumerable<R> GroupJoin<O, K, R>(IEnumerable<O> o, Func<T, K> a, Func<O, K> b, Func<T, IEnumerable<O>, R> f);
    IEnumerable<R> Zip<O, R>(IEnumerable<O> o, Func<T, O, R> f);
    IEnumerable<R> OfType<R>(); IEnumerable<R> Cast<R>();
    T First(Func<T, bool> f); T FirstOrDefault(Func<T, bool> f); T Last(Func<T, bool> f); T LastOrDefault(Func<T, bool> f);
    T Single(Func<T, bool> f); T SingleOrDefault(Func<T, bool> f); T ElementAt(int n); T ElementAtOrDefault(int n);
    bool Any(Func<T, bool> f); bool All(Func<T, bool> f); int Count(Func<T, bool> f); bool Contains(T x);
    int Sum(Func<T, object> f); object Max<R>(Func<T, R> f); object Min<R>(Func<T, R> f); double Average(Func<T, object> f);
    A Aggregate<A>(A seed, Func<A, T, A> f);
    T[] ToArray(); List<T> ToList(); HashSet<T> ToHashSet();
    Dictionary<K, V> ToDictionary<K, V>(Func<T, K> k, Func<T, V> v);
    IEnumerator<T> GetEnumerator();
    bool SequenceEqual(IEnumerable<T> o);
}
public interface IQueryable<T> : IEnumerable<T> { }
public interface IOrderedEnumerable<T> : IEnumerable<T> {
    IOrderedEnumerable<T> ThenBy<K>(Func<T, K> f); IOrderedEnumerable<T> ThenByDescending<K>(Func<T, K> f);
}
public interface IOrderedQueryable<T> : IOrderedEnumerable<T> { }
public interface IGrouping<K, T> : IEnumerable<T> { K Key; }
public interface ILookup<K, T> : IEnumerable<IGrouping<K, T>> { IEnumerable<T> __index__; }
public interface IEnumerator<T> { T Current; bool MoveNext(); void Reset(); void Dispose(); }
public interface IAsyncEnumerable<T> { T __elem__; IAsyncEnumerator<T> GetAsyncEnumerator(); }
public interface IAsyncEnumerator<T> { T Current; }
public interface IReadOnlyCollection<T> : IEnumerable<T> { int Count; }
public interface IReadOnlyList<T> : IReadOnlyCollection<T> { }
public interface ICollection<T> : IEnumerable<T> { int Count; bool IsReadOnly; void Add(T x); void Clear(); bool Remove(T x); void CopyTo(T[] a, int i); }
public interface IList<T> : ICollection<T> { int IndexOf(T x); void Insert(int i, T x); void RemoveAt(int i); }
public interface ISet<T> : ICollection<T> { void UnionWith(IEnumerable<T> o); }
public class List<T> : IList<T> {
    public List(IEnumerable<T> o) { }
    int Capacity; void AddRange(IEnumerable<T> o); void InsertRange(int i, IEnumerable<T> o);
    void ForEach(Action<T> f); T Find(Predicate<T> f); List<T> FindAll(Predicate<T> f); T FindLast(Predicate<T> f); int FindIndex(Predicate<T> f);
    int RemoveAll(Predicate<T> f); bool Exists(Predicate<T> f); bool TrueForAll(Predicate<T> f); List<T> GetRange(int i, int n);
    void Sort(Comparison<T> f); ReadOnlyCollection<T> AsReadOnly(); List<R> ConvertAll<R>(Converter<T, R> f); int BinarySearch(T x);
}
public class Array<T> : IList<T> { int Length; long LongLength; int Rank; int GetLength(int n); object Clone(); }
public class Collection<T> : IList<T> {
    protected IList<T> Items; protected void InsertItem(int i, T x); protected void SetItem(int i, T x); protected void RemoveItem(int i); protected void ClearItems();
}
public class ObservableCollection<T> : Collection<T> { }
public class ReadOnlyCollection<T> : IReadOnlyList<T> { }
public class HashSet<T> : ISet<T> { }
public class SortedSet<T> : ISet<T> { T Min; T Max; }
public class LinkedList<T> : ICollection<T> { }
public class Queue<T> : IEnumerable<T> { int Count; void Enqueue(T x); T Dequeue(); T Peek(); void Clear(); bool TryDequeue(out T x); }
public class Stack<T> : IEnumerable<T> { int Count; void Push(T x); T Pop(); T Peek(); void Clear(); bool TryPop(out T x); }
public class ConcurrentBag<T> : IEnumerable<T> { int Count; void Add(T x); bool TryTake(out T x); }
public class ConcurrentQueue<T> : Queue<T> { }
public class ConcurrentStack<T> : Stack<T> { }
public class BlockingCollection<T> : IEnumerable<T> { void Add(T x); T Take(); IEnumerable<T> GetConsumingEnumerable(); }
public interface IReadOnlyDictionary<K, V> : IEnumerable<KeyValuePair<K, V>> {
    V __index__; ICollection<K> Keys; ICollection<V> Values; int Count; bool ContainsKey(K k); bool TryGetValue(K k, out V v);
}
public interface IDictionary<K, V> : IReadOnlyDictionary<K, V> { void Add(K k, V v); bool Remove(K k); void Clear(); }
public class Dictionary<K, V> : IDictionary<K, V> { bool ContainsValue(V v); }
public class SortedDictionary<K, V> : IDictionary<K, V> { }
public class SortedList<K, V> : IDictionary<K, V> { }
public class ReadOnlyDictionary<K, V> : IDictionary<K, V> { }
public class ConcurrentDictionary<K, V> : IDictionary<K, V> {
    V GetOrAdd(K k, Func<K, V> f); V AddOrUpdate(K k, Func<K, V> f, Func<K, V, V> g); bool TryAdd(K k, V v); bool TryRemove(K k, out V v);
}
public struct KeyValuePair<K, V> { public KeyValuePair(K k, V v) { } K Key; V Value; }
public class Tuple<A, B> { A Item1; B Item2; }
public class Tuple<A, B, C> { A Item1; B Item2; C Item3; }
public struct Nullable<T> { T Value; bool HasValue; T GetValueOrDefault(); }
public class Lazy<T> { public Lazy(Func<T> f) { } T Value; bool IsValueCreated; }
public class ThreadLocal<T> { public ThreadLocal(Func<T> f) { } T Value; bool IsValueCreated; }
public class WeakReference<T> { bool TryGetTarget(out T x); }
public class Task<T> : Task { T __await__; T Result; Task<R> ContinueWith<R>(Func<Task<T>, R> f); ConfiguredTask<T> ConfigureAwait(bool b); Awaiter<T> GetAwaiter(); }
public struct ValueTask<T> { T __await__; T Result; Task<T> AsTask(); ConfiguredTask<T> ConfigureAwait(bool b); }
public struct ConfiguredTask<T> { T __await__; }
public struct Awaiter<T> { T GetResult(); bool IsCompleted; }
public class TaskCompletionSource<T> { Task<T> Task; void SetResult(T x); bool TrySetResult(T x); }
public class Expression<D> { D Compile(); }
public class EqualityComparer<T> { }
public interface IEquatable<T> { } public interface IComparable<T> { } public interface IComparer<T> { } public interface IEqualityComparer<T> { }
public interface IObservable<T> { } public interface IObserver<T> { } public interface IProgress<T> { }

public delegate void Action();
public delegate void Action<A>(A a);
public delegate void Action<A, B>(A a, B b);
public delegate void Action<A, B, C>(A a, B b, C c);
public delegate void Action<A, B, C, D>(A a, B b, C c, D d);
public delegate R Func<R>();
public delegate R Func<A, R>(A a);
public delegate R Func<A, B, R>(A a, B b);
public delegate R Func<A, B, C, R>(A a, B b, C c);
public delegate R Func<A, B, C, D, R>(A a, B b, C c, D d);
public delegate bool Predicate<T>(T a);
public delegate int Comparison<T>(T a, T b);
public delegate R Converter<T, R>(T a);
public delegate void EventHandler<E>(object sender, E e);
