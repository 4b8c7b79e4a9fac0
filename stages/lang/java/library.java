// What values pass through in the JDK: containers, callbacks and what makes
// them. Types that are not here are not known. Interfaces list all their members,
// classes only what is of use. A field __elem__ is what iterating gives, __index__
// what an element of an array is.

class __Array<T> { T __elem__; T __index__; __Array<T> clone(); }
class __Enum<E> { static __Array<E> values(); static E valueOf(String name); String name(); int ordinal(); int compareTo(E o); Class<E> getDeclaringClass(); String toString(); }

// java.lang
interface Object { }
class String { __Array<String> split(String s); Stream<String> lines(); static String valueOf(Object o); static String format(String f, Object... a); static String join(String d, Object... a); }
class Class<T> { T newInstance(); T cast(Object o); __Array<T> getEnumConstants(); Constructor<T> getConstructor(Class... c); Constructor<T> getDeclaredConstructor(Class... c); <A> A getAnnotation(Class<A> c); <U> Class<U> asSubclass(Class<U> c); }
class Constructor<T> { T newInstance(Object... a); }
interface Runnable { void run(); }
interface Comparable<T> { int compareTo(T o); }
interface AutoCloseable { void close(); }
interface Cloneable { }
interface Appendable { Appendable append(CharSequence c); }
interface CharSequence { int length(); char charAt(int i); boolean isEmpty(); CharSequence subSequence(int a, int b); IntStream chars(); IntStream codePoints(); }
interface Readable { int read(CharBuffer b); }
interface Iterable<T> { T __elem__; Iterator<T> iterator(); void forEach(Consumer<T> f); Spliterator<T> spliterator(); }
class ThreadLocal<T> { static <S> ThreadLocal<S> withInitial(Supplier<S> s); T get(); }
class Thread { Thread(Runnable r) { } }
class Throwable { String getMessage(); Throwable getCause(); } class Error extends Throwable { } class Exception extends Throwable { } class RuntimeException extends Exception { } class IllegalArgumentException extends RuntimeException { } class IllegalStateException extends RuntimeException { }

// java.util
interface Iterator<E> { E next(); boolean hasNext(); void remove(); void forEachRemaining(Consumer<E> f); }
interface ListIterator<E> extends Iterator<E> { E previous(); boolean hasPrevious(); int nextIndex(); int previousIndex(); void set(E e); void add(E e); }
interface Enumeration<E> { E nextElement(); boolean hasMoreElements(); Iterator<E> asIterator(); }
interface Spliterator<T> { boolean tryAdvance(Consumer<T> f); void forEachRemaining(Consumer<T> f); Spliterator<T> trySplit(); long estimateSize(); long getExactSizeIfKnown(); int characteristics(); boolean hasCharacteristics(int c); Comparator<T> getComparator(); }
interface Collection<E> extends Iterable<E> { int size(); boolean isEmpty(); boolean contains(Object o); boolean containsAll(Collection c); boolean add(E e); boolean addAll(Collection<E> c); boolean remove(Object o); boolean removeAll(Collection c); boolean retainAll(Collection c); boolean removeIf(Predicate<E> p); void clear(); Stream<E> stream(); Stream<E> parallelStream(); <T> __Array<T> toArray(__Array<T> a); }
interface SequencedCollection<E> extends Collection<E> { E getFirst(); E getLast(); E removeFirst(); E removeLast(); void addFirst(E e); void addLast(E e); SequencedCollection<E> reversed(); }
interface List<E> extends SequencedCollection<E> { E get(int i); E set(int i, E e); E remove(int i); void add(int i, E e); boolean addAll(int i, Collection<E> c); int indexOf(Object o); int lastIndexOf(Object o); ListIterator<E> listIterator(); List<E> subList(int a, int b); void replaceAll(UnaryOperator<E> f); void sort(Comparator<E> c); static <T> List<T> of(T... e); static <T> List<T> copyOf(Collection<T> c); List<E> reversed(); }
interface Set<E> extends Collection<E> { static <T> Set<T> of(T... e); static <T> Set<T> copyOf(Collection<T> c); }
interface SortedSet<E> extends Set<E> { E first(); E last(); SortedSet<E> headSet(E e); SortedSet<E> tailSet(E e); SortedSet<E> subSet(E a, E b); Comparator<E> comparator(); }
interface NavigableSet<E> extends SortedSet<E> { E lower(E e); E floor(E e); E ceiling(E e); E higher(E e); E pollFirst(); E pollLast(); NavigableSet<E> descendingSet(); Iterator<E> descendingIterator(); }
interface Queue<E> extends Collection<E> { E peek(); E poll(); E element(); E remove(); boolean offer(E e); }
interface Deque<E> extends Queue<E> { E getFirst(); E getLast(); E peekFirst(); E peekLast(); E pollFirst(); E pollLast(); E removeFirst(); E removeLast(); E pop(); void push(E e); void addFirst(E e); void addLast(E e); boolean offerFirst(E e); boolean offerLast(E e); boolean removeFirstOccurrence(Object o); boolean removeLastOccurrence(Object o); Iterator<E> descendingIterator(); }
interface Map<K, V> {
	V get(Object k); V put(K k, V v); V remove(Object k); V getOrDefault(Object k, V v); V putIfAbsent(K k, V v); V replace(K k, V v); int size(); boolean isEmpty(); boolean containsKey(Object k); boolean containsValue(Object v); void putAll(Map<K, V> m); void clear();
	V computeIfAbsent(K k, Function<K, V> f); V computeIfPresent(K k, BiFunction<K, V, V> f); V compute(K k, BiFunction<K, V, V> f); V merge(K k, V v, BiFunction<V, V, V> f); void forEach(BiConsumer<K, V> f); void replaceAll(BiFunction<K, V, V> f);
	Set<K> keySet(); Collection<V> values(); Set<Map.Entry<K, V>> entrySet();
	static <A, B> Map<A, B> of(A a, B b, A c, B d, A e, B f, A g, B h, A i, B j, A k, B l, A m, B n, A o, B p, A q, B r, A s, B t); static <A, B> Map<A, B> copyOf(Map<A, B> m); static <A, B> Map.Entry<A, B> entry(A a, B b); static <A, B> Map<A, B> ofEntries(Map.Entry<A, B>... e);
	interface Entry<K, V> { K getKey(); V getValue(); V setValue(V v); static <A, B> Comparator<Map.Entry<A, B>> comparingByKey(Comparator<A> c); static <A, B> Comparator<Map.Entry<A, B>> comparingByValue(Comparator<B> c); }
}
interface SortedMap<K, V> extends Map<K, V> { K firstKey(); K lastKey(); SortedMap<K, V> headMap(K k); SortedMap<K, V> tailMap(K k); SortedMap<K, V> subMap(K a, K b); Comparator<K> comparator(); }
interface NavigableMap<K, V> extends SortedMap<K, V> { Map.Entry<K, V> firstEntry(); Map.Entry<K, V> lastEntry(); Map.Entry<K, V> floorEntry(K k); Map.Entry<K, V> ceilingEntry(K k); Map.Entry<K, V> lowerEntry(K k); Map.Entry<K, V> higherEntry(K k); Map.Entry<K, V> pollFirstEntry(); Map.Entry<K, V> pollLastEntry(); K floorKey(K k); K ceilingKey(K k); K lowerKey(K k); K higherKey(K k); NavigableMap<K, V> descendingMap(); NavigableSet<K> navigableKeySet(); NavigableSet<K> descendingKeySet(); }
class AbstractCollection<E> implements Collection<E> { } class AbstractList<E> implements List<E> { } class AbstractSet<E> implements Set<E> { } class AbstractQueue<E> implements Queue<E> { } class AbstractMap<K, V> implements Map<K, V> { class SimpleEntry<K, V> implements Map.Entry<K, V> { SimpleEntry(K k, V v) { } } class SimpleImmutableEntry<K, V> implements Map.Entry<K, V> { SimpleImmutableEntry(K k, V v) { } } }
class ArrayList<E> implements List<E> { ArrayList(Collection<E> c) { } } class LinkedList<E> implements List<E>, Deque<E> { LinkedList(Collection<E> c) { } } class Vector<E> implements List<E> { E elementAt(int i); E firstElement(); E lastElement(); Enumeration<E> elements(); } class Stack<E> extends Vector<E> { E peek(); E pop(); E push(E e); }
class HashSet<E> implements Set<E> { HashSet(Collection<E> c) { } } class LinkedHashSet<E> implements Set<E> { LinkedHashSet(Collection<E> c) { } } class TreeSet<E> implements NavigableSet<E> { TreeSet(Collection<E> c) { } TreeSet(Comparator<E> c) { } } class EnumSet<E> implements Set<E> { static <T> EnumSet<T> of(T... e); static <T> EnumSet<T> allOf(Class<T> c); static <T> EnumSet<T> noneOf(Class<T> c); static <T> EnumSet<T> copyOf(Collection<T> c); static <T> EnumSet<T> range(T a, T b); static <T> EnumSet<T> complementOf(EnumSet<T> c); }
class ArrayDeque<E> implements Deque<E> { ArrayDeque(Collection<E> c) { } } class PriorityQueue<E> implements Queue<E> { PriorityQueue(Collection<E> c) { } PriorityQueue(Comparator<E> c) { } PriorityQueue(int n, Comparator<E> c) { } }
class HashMap<K, V> implements Map<K, V> { HashMap(Map<K, V> m) { } } class LinkedHashMap<K, V> implements Map<K, V> { LinkedHashMap(Map<K, V> m) { } } class TreeMap<K, V> implements NavigableMap<K, V> { TreeMap(Map<K, V> m) { } TreeMap(Comparator<K> c) { } } class Hashtable<K, V> implements Map<K, V> { Enumeration<V> elements(); Enumeration<K> keys(); } class IdentityHashMap<K, V> implements Map<K, V> { } class WeakHashMap<K, V> implements Map<K, V> { } class EnumMap<K, V> implements Map<K, V> { }
class Optional<T> { T get(); T orElse(T o); T orElseGet(Supplier<T> f); T orElseThrow(Supplier f); boolean isPresent(); boolean isEmpty(); void ifPresent(Consumer<T> f); void ifPresentOrElse(Consumer<T> f, Runnable g); <U> Optional<U> map(Function<T, U> f); <U> Optional<U> flatMap(Function<T, Optional<U>> f); Optional<T> filter(Predicate<T> f); Optional<T> or(Supplier<Optional<T>> f); Stream<T> stream(); static <A> Optional<A> of(A a); static <A> Optional<A> ofNullable(A a); static <A> Optional<A> empty(); }
interface Comparator<T> { int compare(T a, T b); Comparator<T> reversed() { } Comparator<T> thenComparing(Function<T, Object> f) { } Comparator<T> thenComparingInt(Function<T, Object> f) { } Comparator<T> thenComparingLong(Function<T, Object> f) { } Comparator<T> thenComparingDouble(Function<T, Object> f) { } static <A, B> Comparator<A> comparing(Function<A, B> f, Comparator<B> c) { } static <A> Comparator<A> comparingInt(Function<A, Object> f) { } static <A> Comparator<A> comparingLong(Function<A, Object> f) { } static <A> Comparator<A> comparingDouble(Function<A, Object> f) { } static <A> Comparator<A> naturalOrder() { } static <A> Comparator<A> reverseOrder() { } static <A> Comparator<A> nullsFirst(Comparator<A> c) { } static <A> Comparator<A> nullsLast(Comparator<A> c) { } }
class Arrays { static <T> List<T> asList(T... e); static <T> Stream<T> stream(__Array<T> a); static <T> __Array<T> copyOf(__Array<T> a, int n); static <T> __Array<T> copyOfRange(__Array<T> a, int n, int m); static <T> void sort(__Array<T> a, Comparator<T> c); static <T> void fill(__Array<T> a, T e); static <T> void setAll(__Array<T> a, Function<Object, T> f); }
class Collections { static <T> List<T> emptyList(); static <T> Set<T> emptySet(); static <K, V> Map<K, V> emptyMap(); static <T> Iterator<T> emptyIterator(); static <T> List<T> singletonList(T e); static <T> Set<T> singleton(T e); static <K, V> Map<K, V> singletonMap(K k, V v); static <T> List<T> unmodifiableList(List<T> l); static <T> Set<T> unmodifiableSet(Set<T> l); static <T> Collection<T> unmodifiableCollection(Collection<T> l); static <K, V> Map<K, V> unmodifiableMap(Map<K, V> m); static <T> List<T> synchronizedList(List<T> l); static <T> Set<T> synchronizedSet(Set<T> l); static <K, V> Map<K, V> synchronizedMap(Map<K, V> m); static <T> T max(Collection<T> c, Comparator<T> f); static <T> T min(Collection<T> c, Comparator<T> f); static <T extends Comparable<T>> T max(Collection<T> c); static <T extends Comparable<T>> T min(Collection<T> c); static <T> void sort(List<T> l, Comparator<T> c); static <T> Comparator<T> reverseOrder(Comparator<T> c); static <T> List<T> nCopies(int n, T e); static <T> Set<T> newSetFromMap(Map<T, Object> m); }
class Objects { static <T> T requireNonNull(T o); static <T> T requireNonNullElse(T o, T p); static <T> T requireNonNullElseGet(T o, Supplier<T> p); }
class ServiceLoader<S> implements Iterable<S> { static <A> ServiceLoader<A> load(Class<A> c); }
interface EventListener { } interface RandomAccess { }

// java.util.function
interface Function<T, R> { R apply(T t); <V> Function<T, V> andThen(Function<R, V> f) { } <V> Function<V, R> compose(Function<V, T> f) { } static <A> Function<A, A> identity() { } }
interface BiFunction<T, U, R> { R apply(T t, U u); <V> BiFunction<T, U, V> andThen(Function<R, V> f) { } }
interface UnaryOperator<T> extends Function<T, T> { T apply(T t); }
interface BinaryOperator<T> extends BiFunction<T, T, T> { T apply(T t, T u); }
interface Supplier<T> { T get(); } interface BooleanSupplier { boolean getAsBoolean(); } interface IntSupplier { int getAsInt(); } interface LongSupplier { long getAsLong(); } interface DoubleSupplier { double getAsDouble(); }
interface Consumer<T> { void accept(T t); Consumer<T> andThen(Consumer<T> f) { } }
interface BiConsumer<T, U> { void accept(T t, U u); BiConsumer<T, U> andThen(BiConsumer<T, U> f) { } }
interface Predicate<T> { boolean test(T t); Predicate<T> and(Predicate<T> p) { } Predicate<T> or(Predicate<T> p) { } Predicate<T> negate() { } static <A> Predicate<A> not(Predicate<A> p) { } static <A> Predicate<A> isEqual(Object o) { } }
interface BiPredicate<T, U> { boolean test(T t, U u); BiPredicate<T, U> and(BiPredicate<T, U> p) { } BiPredicate<T, U> or(BiPredicate<T, U> p) { } BiPredicate<T, U> negate() { } }
interface ToIntFunction<T> { int applyAsInt(T t); } interface ToLongFunction<T> { long applyAsLong(T t); } interface ToDoubleFunction<T> { double applyAsDouble(T t); }
interface ToIntBiFunction<T, U> { int applyAsInt(T t, U u); } interface ToLongBiFunction<T, U> { long applyAsLong(T t, U u); } interface ToDoubleBiFunction<T, U> { double applyAsDouble(T t, U u); }
interface IntFunction<R> { R apply(int i); } interface LongFunction<R> { R apply(long i); } interface DoubleFunction<R> { R apply(double i); } interface ObjIntConsumer<T> { void accept(T t, int i); }
interface IntPredicate { boolean test(int i); } interface IntConsumer { void accept(int i); } interface IntUnaryOperator { int applyAsInt(int i); } interface IntBinaryOperator { int applyAsInt(int i, int j); }

// java.util.stream
interface BaseStream<T, S> { Iterator<T> iterator(); Spliterator<T> spliterator(); boolean isParallel(); S sequential(); S parallel(); S unordered(); S onClose(Runnable f); void close(); }
interface Stream<T> extends BaseStream<T, Stream<T>> {
	Stream<T> filter(Predicate<T> f); <R> Stream<R> map(Function<T, R> f); IntStream mapToInt(ToIntFunction<T> f); LongStream mapToLong(ToLongFunction<T> f); DoubleStream mapToDouble(ToDoubleFunction<T> f); <R> Stream<R> flatMap(Function<T, Stream<R>> f); <R> Stream<R> mapMulti(BiConsumer<T, Consumer<R>> f);
	Stream<T> distinct(); Stream<T> sorted(Comparator<T> c); Stream<T> peek(Consumer<T> f); Stream<T> limit(long n); Stream<T> skip(long n); Stream<T> takeWhile(Predicate<T> f); Stream<T> dropWhile(Predicate<T> f);
	void forEach(Consumer<T> f); void forEachOrdered(Consumer<T> f); <A> __Array<A> toArray(IntFunction<__Array<A>> f); T reduce(T t, BinaryOperator<T> f); Optional<T> reduce(BinaryOperator<T> f); <R, A> R collect(Collector<T, A, R> c); <R> R collect(Supplier<R> s, BiConsumer<R, T> f, BiConsumer<R, R> g); List<T> toList(); Optional<T> min(Comparator<T> c); Optional<T> max(Comparator<T> c); long count();
	boolean anyMatch(Predicate<T> f); boolean allMatch(Predicate<T> f); boolean noneMatch(Predicate<T> f); Optional<T> findFirst(); Optional<T> findAny();
	static <A> Stream<A> of(A... e); static <A> Stream<A> empty(); static <A> Stream<A> ofNullable(A a); static <A> Stream<A> concat(Stream<A> a, Stream<A> b); static <A> Stream<A> iterate(A a, UnaryOperator<A> f); static <A> Stream<A> generate(Supplier<A> f);
}
class IntStream { <R> Stream<R> mapToObj(IntFunction<R> f); static IntStream range(int a, int b); static IntStream rangeClosed(int a, int b); static IntStream of(int... a); IntStream filter(IntPredicate f); IntStream map(IntUnaryOperator f); IntStream sorted(); IntStream limit(long n); }
class LongStream { <R> Stream<R> mapToObj(LongFunction<R> f); static LongStream range(long a, long b); static LongStream rangeClosed(long a, long b); }
class DoubleStream { <R> Stream<R> mapToObj(DoubleFunction<R> f); }
interface Collector<T, A, R> { Supplier<A> supplier(); BiConsumer<A, T> accumulator(); BinaryOperator<A> combiner(); Function<A, R> finisher(); Set<Object> characteristics(); }
class Collectors {
	static <T> Collector<T, Object, List<T>> toList(); static <T> Collector<T, Object, List<T>> toUnmodifiableList(); static <T> Collector<T, Object, Set<T>> toSet(); static <T> Collector<T, Object, Set<T>> toUnmodifiableSet(); static <T, C> Collector<T, Object, C> toCollection(Supplier<C> f);
	static <T, K, V> Collector<T, Object, Map<K, V>> toMap(Function<T, K> f, Function<T, V> g, BinaryOperator<V> h, Supplier s); static <T, K, V> Collector<T, Object, Map<K, V>> toUnmodifiableMap(Function<T, K> f, Function<T, V> g); static <T, K, V> Collector<T, Object, Map<K, V>> toConcurrentMap(Function<T, K> f, Function<T, V> g);
	static <T, K> Collector<T, Object, Map<K, List<T>>> groupingBy(Function<T, K> f); static <T, K, A, D> Collector<T, Object, Map<K, D>> groupingBy(Function<T, K> f, Collector<T, A, D> c); static <T, K, A, D, M> Collector<T, Object, M> groupingBy(Function<T, K> f, Supplier<M> s, Collector<T, A, D> c);
	static <T> Collector<T, Object, Map<Object, List<T>>> partitioningBy(Predicate<T> f); static <T, A, D> Collector<T, Object, Map<Object, D>> partitioningBy(Predicate<T> f, Collector<T, A, D> c);
	static <T, U, A, R> Collector<T, Object, R> mapping(Function<T, U> f, Collector<U, A, R> c); static <T, A, R, Q> Collector<T, A, Q> collectingAndThen(Collector<T, A, R> c, Function<R, Q> f); static <T> Collector<T, Object, Optional<T>> minBy(Comparator<T> c); static <T> Collector<T, Object, Optional<T>> maxBy(Comparator<T> c); static <T> Collector<T, Object, Object> summingInt(ToIntFunction<T> f); static <T> Collector<T, Object, Object> summingLong(ToLongFunction<T> f); static <T> Collector<T, Object, Object> summingDouble(ToDoubleFunction<T> f); static <T> Collector<T, Object, Object> averagingInt(ToIntFunction<T> f); static <T> Collector<T, Object, Object> averagingDouble(ToDoubleFunction<T> f);
}
class StreamSupport { static <T> Stream<T> stream(Spliterator<T> s, boolean p); }

// java.util.concurrent, java.util.concurrent.atomic
interface Callable<V> { V call(); }
interface Executor { void execute(Runnable r); }
interface ExecutorService extends Executor { <T> Future<T> submit(Callable<T> c); <T> List<Future<T>> invokeAll(Collection<Callable<T>> c); <T> T invokeAny(Collection<Callable<T>> c); void shutdown(); List<Runnable> shutdownNow(); boolean isShutdown(); boolean isTerminated(); boolean awaitTermination(long n, Object u); void close(); }
interface ScheduledExecutorService extends ExecutorService { <V> ScheduledFuture<V> schedule(Callable<V> c, long n, Object u); ScheduledFuture<Object> scheduleAtFixedRate(Runnable r, long a, long b, Object u); ScheduledFuture<Object> scheduleWithFixedDelay(Runnable r, long a, long b, Object u); }
interface Future<V> { V get(); boolean cancel(boolean b); boolean isCancelled(); boolean isDone(); V resultNow(); }
interface ScheduledFuture<V> extends Future<V> { }
class CompletableFuture<T> implements Future<T> { T join(); T getNow(T t); boolean complete(T t); <U> CompletableFuture<U> thenApply(Function<T, U> f); <U> CompletableFuture<U> thenApplyAsync(Function<T, U> f); CompletableFuture<Object> thenAccept(Consumer<T> f); CompletableFuture<Object> thenAcceptAsync(Consumer<T> f); <U> CompletableFuture<U> thenCompose(Function<T, CompletableFuture<U>> f); <U, V> CompletableFuture<V> thenCombine(CompletableFuture<U> o, BiFunction<T, U, V> f); CompletableFuture<T> whenComplete(BiConsumer<T, Throwable> f); <U> CompletableFuture<U> handle(BiFunction<T, Throwable, U> f); CompletableFuture<T> exceptionally(Function<Throwable, T> f); static <U> CompletableFuture<U> supplyAsync(Supplier<U> f); static <U> CompletableFuture<U> completedFuture(U u); static CompletableFuture<Object> runAsync(Runnable r); }
interface ConcurrentMap<K, V> extends Map<K, V> { } interface BlockingQueue<E> extends Queue<E> { E take(); void put(E e); int remainingCapacity(); int drainTo(Collection<E> c); } interface BlockingDeque<E> extends BlockingQueue<E>, Deque<E> { E takeFirst(); E takeLast(); void putFirst(E e); void putLast(E e); }
class ConcurrentHashMap<K, V> implements ConcurrentMap<K, V> { static <T> Set<T> newKeySet(); } class ConcurrentSkipListMap<K, V> implements NavigableMap<K, V> { } class ConcurrentSkipListSet<E> implements NavigableSet<E> { } class CopyOnWriteArrayList<E> implements List<E> { CopyOnWriteArrayList(Collection<E> c) { } } class CopyOnWriteArraySet<E> implements Set<E> { } class ConcurrentLinkedQueue<E> implements Queue<E> { } class ConcurrentLinkedDeque<E> implements Deque<E> { } class LinkedBlockingQueue<E> implements BlockingQueue<E> { } class LinkedBlockingDeque<E> implements BlockingDeque<E> { } class ArrayBlockingQueue<E> implements BlockingQueue<E> { } class PriorityBlockingQueue<E> implements BlockingQueue<E> { }
class AtomicReference<V> { AtomicReference(V v) { } V get(); V getAndSet(V v); V updateAndGet(UnaryOperator<V> f); V getAndUpdate(UnaryOperator<V> f); V accumulateAndGet(V v, BinaryOperator<V> f); }

// java.lang.ref, java.io, java.nio, java.net, java.beans, java.awt
class Reference<T> { T get(); } class WeakReference<T> extends Reference<T> { WeakReference(T t) { } } class SoftReference<T> extends Reference<T> { SoftReference(T t) { } }
interface Serializable { } interface Closeable extends AutoCloseable { void close(); } interface Flushable { void flush(); } interface Externalizable extends Serializable { void writeExternal(Object o); void readExternal(Object o); }
class IOException extends Exception { }
