// The part of the standard library that moves values along. Extensions of
// sequences are members of them here.

interface Iterable<T> {
    val __elem__: T
    val __index__: T
    val indices: IntRange
    val size: Int
    fun forEach(f: (T) -> Unit)
    fun forEachIndexed(f: (Int, T) -> Unit)
    fun onEach(f: (T) -> Unit): List<T>
    fun <R> map(f: (T) -> R): List<R>
    fun <R> mapNotNull(f: (T) -> R?): List<R>
    fun <R> mapIndexed(f: (Int, T) -> R): List<R>
    fun <R> flatMap(f: (T) -> Iterable<R>): List<R>
    fun filter(f: (T) -> Boolean): List<T>
    fun filterNot(f: (T) -> Boolean): List<T>
    fun filterNotNull(): List<T>
    fun find(f: (T) -> Boolean): T?
    fun findLast(f: (T) -> Boolean): T?
    fun first(f: (T) -> Boolean): T
    fun firstOrNull(f: (T) -> Boolean): T?
    fun last(f: (T) -> Boolean): T
    fun lastOrNull(f: (T) -> Boolean): T?
    fun single(f: (T) -> Boolean): T
    fun singleOrNull(f: (T) -> Boolean): T?
    fun get(i: Int): T
    fun getOrNull(i: Int): T?
    fun elementAt(i: Int): T
    fun random(): T
    fun any(f: (T) -> Boolean): Boolean
    fun all(f: (T) -> Boolean): Boolean
    fun none(f: (T) -> Boolean): Boolean
    fun count(f: (T) -> Boolean): Int
    fun sumOf(f: (T) -> Int): Int
    fun maxByOrNull(f: (T) -> Int): T?
    fun minByOrNull(f: (T) -> Int): T?
    fun maxOf(f: (T) -> Int): Int
    fun minOf(f: (T) -> Int): Int
    fun sortedBy(f: (T) -> Int): List<T>
    fun sortedByDescending(f: (T) -> Int): List<T>
    fun sorted(): List<T>
    fun reversed(): List<T>
    fun distinct(): List<T>
    fun distinctBy(f: (T) -> Int): List<T>
    fun take(n: Int): List<T>
    fun takeWhile(f: (T) -> Boolean): List<T>
    fun drop(n: Int): List<T>
    fun dropWhile(f: (T) -> Boolean): List<T>
    fun plus(o: Iterable<T>): List<T>
    fun minus(o: Iterable<T>): List<T>
    fun toList(): List<T>
    fun toMutableList(): MutableList<T>
    fun toSet(): Set<T>
    fun toMutableSet(): MutableSet<T>
    fun asSequence(): Sequence<T>
    fun orEmpty(): List<T>
    fun joinToString(a: String, f: (T) -> String): String
    fun withIndex(): List<IndexedValue<T>>
    fun chunked(n: Int): List<List<T>>
    fun <K> groupBy(f: (T) -> K): Map<K, List<T>>
    fun <K> associateBy(f: (T) -> K): Map<K, T>
    fun <V> associateWith(f: (T) -> V): Map<T, V>
    fun <K, V> associate(f: (T) -> Pair<K, V>): Map<K, V>
    fun partition(f: (T) -> Boolean): Pair<List<T>, List<T>>
    fun <O> zip(o: Iterable<O>): List<Pair<T, O>>
    fun <A> fold(a: A, f: (A, T) -> A): A
    fun contains(x: T): Boolean
    fun indexOf(x: T): Int
    fun indexOfFirst(f: (T) -> Boolean): Int
    fun isEmpty(): Boolean
    fun isNotEmpty(): Boolean
    fun add(x: T): Boolean
    fun addAll(x: Iterable<T>): Boolean
    fun remove(x: T): Boolean
    fun removeAt(i: Int): T
    fun removeIf(f: (T) -> Boolean): Boolean
    fun clear()
}
interface Collection<T> : Iterable<T>
interface List<T> : Collection<T>
interface Set<T> : Collection<T>
interface Sequence<T> : Iterable<T>
interface MutableList<T> : List<T>
interface MutableSet<T> : Set<T>
interface MutableCollection<T> : Collection<T>
interface Flow<T> : Iterable<T> {
    fun collect(f: (T) -> Unit)
}
interface StateFlow<T> : Flow<T> {
    val value: T
}
interface MutableStateFlow<T> : StateFlow<T>
class ArrayList<T> : MutableList<T>
class HashSet<T> : MutableSet<T>
class Array<T> : List<T>
class ArrayDeque<T> : MutableList<T>
class IndexedValue<T> {
    val index: Int
    val value: T
    fun component1(): Int
    fun component2(): T
}
class Pair<A, B> {
    val first: A
    val second: B
    val component1: A
    val component2: B
}
interface Map<K, V> {
    val __elem__: Entry<K, V>
    val __index__: V
    val keys: Set<K>
    val values: Collection<V>
    val entries: Set<Entry<K, V>>
    val size: Int
    fun get(k: K): V?
    fun getValue(k: K): V
    fun getOrDefault(k: K, v: V): V
    fun getOrElse(k: K, f: () -> V): V
    fun getOrPut(k: K, f: () -> V): V
    fun put(k: K, v: V): V?
    fun remove(k: K): V?
    fun containsKey(k: K): Boolean
    fun containsValue(v: V): Boolean
    fun clear()
    fun isEmpty(): Boolean
    fun isNotEmpty(): Boolean
    fun forEach(f: (Entry<K, V>) -> Unit)
    fun <R> map(f: (Entry<K, V>) -> R): List<R>
    fun filter(f: (Entry<K, V>) -> Boolean): Map<K, V>
    fun filterValues(f: (V) -> Boolean): Map<K, V>
    fun filterKeys(f: (K) -> Boolean): Map<K, V>
    fun <R> mapValues(f: (Entry<K, V>) -> R): Map<K, R>
    fun any(f: (Entry<K, V>) -> Boolean): Boolean
    fun toMap(): Map<K, V>
    fun toMutableMap(): MutableMap<K, V>
}
interface MutableMap<K, V> : Map<K, V>
class HashMap<K, V> : MutableMap<K, V>
class LinkedHashMap<K, V> : MutableMap<K, V>
class Entry<K, V> {
    val key: K
    val value: V
    val component1: K
    val component2: V
}
class Lazy<T> {
    val value: T
}
class Deferred<T> {
    fun await(): T
}

fun <T> listOf(vararg x: T): List<T>
fun <T> listOfNotNull(vararg x: T): List<T>
fun <T> mutableListOf(vararg x: T): MutableList<T>
fun <T> arrayListOf(vararg x: T): MutableList<T>
fun <T> arrayOf(vararg x: T): Array<T>
fun <T> setOf(vararg x: T): Set<T>
fun <T> mutableSetOf(vararg x: T): MutableSet<T>
fun <T> sequenceOf(vararg x: T): Sequence<T>
fun <K, V> mapOf(vararg x: Pair<K, V>): Map<K, V>
fun <K, V> mutableMapOf(vararg x: Pair<K, V>): MutableMap<K, V>
fun <T> lazy(f: () -> T): Lazy<T>
fun <T> requireNotNull(x: T?): T
fun <T> checkNotNull(x: T?): T
fun <T> synchronized(x: Any, f: () -> T): T
fun <T> MutableStateFlow(x: T): StateFlow<T>
