// What values of the standard library hand on. __elem__ is what iterating gives,
// __index__ what an index does, __slice__ what one with a range does, __try__ what the question mark leaves; __some__,
// __ok__ and __err__ are what patterns take out.

struct Option<T> { __some__: T, __try__: T, __elem__: T }

impl<T> Option<T> {
    fn unwrap(self) -> T;
    fn expect(self, m: str) -> T;
    fn unwrap_or(self, d: T) -> T;
    fn unwrap_or_default(self) -> T;
    fn unwrap_or_else(self, f: impl Fn() -> T) -> T;
    fn map<U>(self, f: impl Fn(T) -> U) -> Option<U>;
    fn and_then<U>(self, f: impl Fn(T) -> Option<U>) -> Option<U>;
    fn map_or<U>(self, d: U, f: impl Fn(T) -> U) -> U;
    fn map_or_else<U>(self, d: impl Fn() -> U, f: impl Fn(T) -> U) -> U;
    fn is_some_and(self, f: impl Fn(T) -> bool) -> bool;
    fn is_none_or(self, f: impl Fn(T) -> bool) -> bool;
    fn filter(self, f: impl Fn(T) -> bool) -> Option<T>;
    fn or(self, o: Option<T>) -> Option<T>;
    fn or_else(self, f: impl Fn() -> Option<T>) -> Option<T>;
    fn ok_or<E>(self, e: E) -> Result<T, E>;
    fn ok_or_else<E>(self, f: impl Fn() -> E) -> Result<T, E>;
    fn take(&mut self) -> Option<T>;
    fn replace(&mut self, v: T) -> Option<T>;
    fn insert(&mut self, v: T) -> T;
    fn get_or_insert(&mut self, v: T) -> T;
    fn get_or_insert_with(&mut self, f: impl Fn() -> T) -> T;
    fn copied(self) -> Option<T>;
    fn cloned(self) -> Option<T>;
    fn iter(&self) -> Iterator<T>;
    fn into_iter(self) -> Iterator<T>;
    fn is_some(&self) -> bool;
    fn is_none(&self) -> bool;
}

struct Result<T, E> { __ok__: T, __err__: E, __try__: T, __elem__: T }

impl<T, E> Result<T, E> {
    fn unwrap(self) -> T;
    fn expect(self, m: str) -> T;
    fn unwrap_err(self) -> E;
    fn expect_err(self, m: str) -> E;
    fn unwrap_or(self, d: T) -> T;
    fn unwrap_or_default(self) -> T;
    fn unwrap_or_else(self, f: impl Fn(E) -> T) -> T;
    fn map<U>(self, f: impl Fn(T) -> U) -> Result<U, E>;
    fn map_err<F>(self, f: impl Fn(E) -> F) -> Result<T, F>;
    fn and_then<U>(self, f: impl Fn(T) -> Result<U, E>) -> Result<U, E>;
    fn or_else<F>(self, f: impl Fn(E) -> Result<T, F>) -> Result<T, F>;
    fn map_or<U>(self, d: U, f: impl Fn(T) -> U) -> U;
    fn is_ok_and(self, f: impl Fn(T) -> bool) -> bool;
    fn ok(self) -> Option<T>;
    fn err(self) -> Option<E>;
    fn context(self, c: str) -> Result<T, E>;
    fn with_context(self, f: impl Fn() -> str) -> Result<T, E>;
    fn is_ok(&self) -> bool;
    fn is_err(&self) -> bool;
}

fn Some<T>(v: T) -> Option<T>;
fn Ok<T, E>(v: T) -> Result<T, E>;
fn Err<T, E>(e: E) -> Result<T, E>;

struct Iterator<T> { __elem__: T }

impl<T> Iterator<T> {
    fn next(&mut self) -> Option<T>;
    fn next_back(&mut self) -> Option<T>;
    fn peek(&mut self) -> Option<T>;
    fn iter(&self) -> Iterator<T>;
    fn into_iter(self) -> Iterator<T>;
    fn rev(self) -> Iterator<T>;
    fn skip(self, n: usize) -> Iterator<T>;
    fn take(self, n: usize) -> Iterator<T>;
    fn step_by(self, n: usize) -> Iterator<T>;
    fn chain(self, o: Iterator<T>) -> Iterator<T>;
    fn cloned(self) -> Iterator<T>;
    fn copied(self) -> Iterator<T>;
    fn peekable(self) -> Iterator<T>;
    fn fuse(self) -> Iterator<T>;
    fn cycle(self) -> Iterator<T>;
    fn enumerate(self) -> Iterator<(usize, T)>;
    fn zip<U>(self, o: Iterator<U>) -> Iterator<(T, U)>;
    fn filter(self, f: impl Fn(T) -> bool) -> Iterator<T>;
    fn skip_while(self, f: impl Fn(T) -> bool) -> Iterator<T>;
    fn take_while(self, f: impl Fn(T) -> bool) -> Iterator<T>;
    fn inspect(self, f: impl Fn(T)) -> Iterator<T>;
    fn map<U>(self, f: impl Fn(T) -> U) -> Iterator<U>;
    fn filter_map<U>(self, f: impl Fn(T) -> Option<U>) -> Iterator<U>;
    fn flat_map<U>(self, f: impl Fn(T) -> Iterator<U>) -> Iterator<U>;
    fn for_each(self, f: impl Fn(T));
    fn all(self, f: impl Fn(T) -> bool) -> bool;
    fn any(self, f: impl Fn(T) -> bool) -> bool;
    fn find(self, f: impl Fn(T) -> bool) -> Option<T>;
    fn find_map<U>(self, f: impl Fn(T) -> Option<U>) -> Option<U>;
    fn position(self, f: impl Fn(T) -> bool) -> Option<usize>;
    fn fold<A>(self, a: A, f: impl Fn(A, T) -> A) -> A;
    fn partition(self, f: impl Fn(T) -> bool) -> (Vec<T>, Vec<T>);
    fn max_by_key(self, f: impl Fn(T) -> usize) -> Option<T>;
    fn min_by_key(self, f: impl Fn(T) -> usize) -> Option<T>;
    fn max_by(self, f: impl Fn(T, T) -> usize) -> Option<T>;
    fn min_by(self, f: impl Fn(T, T) -> usize) -> Option<T>;
    fn max(self) -> Option<T>;
    fn min(self) -> Option<T>;
    fn last(self) -> Option<T>;
    fn nth(&mut self, n: usize) -> Option<T>;
    fn count(self) -> usize;
    fn collect<C>(self) -> C;
    fn sum<S>(self) -> S;
}

struct IntoIterator<T> { __elem__: T }
struct DoubleEndedIterator<T> { __elem__: T }

struct Vec<T> { __elem__: T, __index__: T, __slice__: Vec<T> }

impl<T> Vec<T> {
    fn iter(&self) -> Iterator<T>;
    fn iter_mut(&mut self) -> Iterator<T>;
    fn into_iter(self) -> Iterator<T>;
    fn drain(&mut self, r: usize) -> Iterator<T>;
    fn first(&self) -> Option<T>;
    fn last(&self) -> Option<T>;
    fn first_mut(&mut self) -> Option<T>;
    fn last_mut(&mut self) -> Option<T>;
    fn get(&self, i: usize) -> Option<T>;
    fn get_mut(&mut self, i: usize) -> Option<T>;
    fn pop(&mut self) -> Option<T>;
    fn pop_front(&mut self) -> Option<T>;
    fn pop_back(&mut self) -> Option<T>;
    fn front(&self) -> Option<T>;
    fn back(&self) -> Option<T>;
    fn push(&mut self, v: T);
    fn remove(&mut self, i: usize) -> T;
    fn swap_remove(&mut self, i: usize) -> T;
    fn retain(&mut self, f: impl Fn(T) -> bool);
    fn retain_mut(&mut self, f: impl Fn(T) -> bool);
    fn sort_by(&mut self, f: impl Fn(T, T) -> usize);
    fn sort_by_key(&mut self, f: impl Fn(T) -> usize);
    fn sort_unstable_by(&mut self, f: impl Fn(T, T) -> usize);
    fn sort_unstable_by_key(&mut self, f: impl Fn(T) -> usize);
    fn binary_search_by(&self, f: impl Fn(T) -> usize) -> usize;
    fn windows(&self, n: usize) -> Iterator<Vec<T>>;
    fn chunks(&self, n: usize) -> Iterator<Vec<T>>;
    fn split_at(&self, n: usize) -> (Vec<T>, Vec<T>);
    fn split_first(&self) -> Option<(T, Vec<T>)>;
    fn split_last(&self) -> Option<(T, Vec<T>)>;
    fn concat(&self) -> Vec<T>;
    fn len(&self) -> usize;
    fn is_empty(&self) -> bool;
}

type VecDeque<T> = Vec<T>;

struct HashSet<T> { __elem__: T }

impl<T> HashSet<T> {
    fn iter(&self) -> Iterator<T>;
    fn into_iter(self) -> Iterator<T>;
    fn get(&self, k: T) -> Option<T>;
    fn take(&mut self, k: T) -> Option<T>;
    fn first(&self) -> Option<T>;
    fn last(&self) -> Option<T>;
    fn pop_first(&mut self) -> Option<T>;
    fn pop(&mut self) -> Option<T>;
    fn peek(&self) -> Option<T>;
    fn drain(&mut self) -> Iterator<T>;
    fn retain(&mut self, f: impl Fn(T) -> bool);
}

type BTreeSet<T> = HashSet<T>;
type BinaryHeap<T> = HashSet<T>;
type IndexSet<T> = HashSet<T>;

struct HashMap<K, V> { __elem__: (K, V), __index__: V }

impl<K, V> HashMap<K, V> {
    fn get(&self, k: K) -> Option<V>;
    fn get_mut(&mut self, k: K) -> Option<V>;
    fn get_key_value(&self, k: K) -> Option<(K, V)>;
    fn insert(&mut self, k: K, v: V) -> Option<V>;
    fn remove(&mut self, k: K) -> Option<V>;
    fn remove_entry(&mut self, k: K) -> Option<(K, V)>;
    fn keys(&self) -> Iterator<K>;
    fn into_keys(self) -> Iterator<K>;
    fn values(&self) -> Iterator<V>;
    fn values_mut(&mut self) -> Iterator<V>;
    fn into_values(self) -> Iterator<V>;
    fn iter(&self) -> Iterator<(K, V)>;
    fn iter_mut(&mut self) -> Iterator<(K, V)>;
    fn into_iter(self) -> Iterator<(K, V)>;
    fn drain(&mut self) -> Iterator<(K, V)>;
    fn range(&self, r: K) -> Iterator<(K, V)>;
    fn first_key_value(&self) -> Option<(K, V)>;
    fn last_key_value(&self) -> Option<(K, V)>;
    fn retain(&mut self, f: impl Fn(K, V) -> bool);
    fn entry(&mut self, k: K) -> Entry<K, V>;
}

type BTreeMap<K, V> = HashMap<K, V>;
type IndexMap<K, V> = HashMap<K, V>;
type DashMap<K, V> = HashMap<K, V>;

struct Entry<K, V> { k: K }

impl<K, V> Entry<K, V> {
    fn or_insert(self, v: V) -> V;
    fn or_insert_with(self, f: impl Fn() -> V) -> V;
    fn or_default(self) -> V;
    fn and_modify(self, f: impl Fn(V)) -> Entry<K, V>;
}

struct Mutex<T> { x: T }

impl<T> Mutex<T> {
    fn lock(&self) -> Guard<T>;
    fn try_lock(&self) -> Guard<T>;
    fn read(&self) -> Guard<T>;
    fn write(&self) -> Guard<T>;
    fn get_mut(&mut self) -> Guard<T>;
    fn into_inner(self) -> Guard<T>;
}

type RwLock<T> = Mutex<T>;

struct Guard<T> { __try__: T, __ok__: T, __await__: T }

impl<T> Guard<T> {
    fn unwrap(self) -> T;
    fn expect(self, m: str) -> T;
    fn unwrap_or_else<E>(self, f: impl Fn(E) -> T) -> T;
}

// Traits that structs derive or implement, with what they bring.

trait Debug { fn fmt(&self); }
trait Display { fn fmt(&self); fn to_string(&self) -> String; }
trait Clone { fn clone(&self) -> Self; fn clone_from(&mut self, o: Self); }
trait Copy {}
trait Send {}
trait Sync {}
trait Unpin {}
trait Eq {}
trait PartialEq { fn eq(&self, o: Self) -> bool; fn ne(&self, o: Self) -> bool; }
trait PartialOrd { fn partial_cmp(&self, o: Self); fn lt(&self, o: Self) -> bool; fn le(&self, o: Self) -> bool; fn gt(&self, o: Self) -> bool; fn ge(&self, o: Self) -> bool; }
trait Ord { fn cmp(&self, o: Self); fn max(self, o: Self) -> Self; fn min(self, o: Self) -> Self; fn clamp(self, a: Self, b: Self) -> Self; }
trait Hash { fn hash(&self); }
trait Default { fn default() -> Self; }
trait Drop { fn drop(&mut self); }
trait From<T> { fn from(v: T) -> Self; }
trait TryFrom<T> { fn try_from(v: T) -> Result<Self, T>; }
trait FromStr { fn from_str(s: str) -> Result<Self, Self>; }
trait AsRef<T> { fn as_ref(&self) -> T; }
trait Serialize { fn serialize(&self); }
trait Deserialize { fn deserialize(&self); }
trait Error { fn source(&self); fn description(&self); fn cause(&self); fn to_string(&self) -> String; }
trait Index<I> {}
trait IndexMut<I> {}
trait Add<O> { fn add(self, o: O); }
trait Sub<O> { fn sub(self, o: O); }
trait Mul<O> { fn mul(self, o: O); }
trait Div<O> { fn div(self, o: O); }
trait Neg { fn neg(self); }
trait Not { fn not(self); }
trait AddAssign<O> { fn add_assign(self, o: O); }
trait SubAssign<O> { fn sub_assign(self, o: O); }
trait MulAssign<O> { fn mul_assign(self, o: O); }
