// What values of the standard library hand on. __index__ is what an index or a
// star gives, __elem__ what a loop runs over; what has a base is used like it.
// Pointers and arrays are __ptr__.

template <class T> struct __ptr__ : T { T __index__; T __elem__; };

template <class A, class B> struct pair { A first; B second; };

template <class T> struct unique_ptr : T {
  T __index__;
  T *get();
  T *release();
  void reset(T *p);
};
template <class T> struct shared_ptr : T {
  T __index__;
  T *get();
  void reset(T *p);
  long use_count();
};
template <class T> struct weak_ptr { shared_ptr<T> lock(); bool expired(); void reset(); };
template <class T> struct optional : T {
  T __index__;
  T value();
  T value_or(T d);
  bool has_value();
  void reset();
};
template <class T> struct reference_wrapper : T { T get(); };
template <class T> struct atomic : T { T load(); T exchange(T v); void store(T v); };

template <class T> unique_ptr<T> make_unique();
template <class T> shared_ptr<T> make_shared();
template <class T> T move(T v);
template <class T> T forward(T v);
template <class T> T ref(T v);
template <class T> T min(T a, T b);
template <class T> T max(T a, T b);
template <class T> shared_ptr<T> static_pointer_cast(int v);
template <class T> shared_ptr<T> dynamic_pointer_cast(int v);

template <class T> struct __sequence__ {
  T __index__;
  T __elem__;
  T &at(int i);
  T &front();
  T &back();
  T *data();
  T *begin();
  T *end();
  T *rbegin();
  T *rend();
  T *cbegin();
  T *cend();
  T *insert(T *p, T v);
  T *erase(T *p);
  T &emplace_back();
  T &emplace_front();
  T *find(T k);
  T &top();
  T *lower_bound(T k);
  T *upper_bound(T k);
  void push_back(T v);
  void push_front(T v);
  void pop_back();
  void pop_front();
  void push(T v);
  void pop();
  void clear();
  void resize(int n);
  void reserve(int n);
  int size();
  bool empty();
};
template <class T> struct vector : __sequence__<T> {};
template <class T> struct list : __sequence__<T> {};
template <class T> struct forward_list : __sequence__<T> {};
template <class T> struct deque : __sequence__<T> {};
template <class T> struct array : __sequence__<T> {};
template <class T> struct span : __sequence__<T> {};
template <class T> struct set : __sequence__<T> {};
template <class T> struct multiset : __sequence__<T> {};
template <class T> struct unordered_set : __sequence__<T> {};
template <class T> struct unordered_multiset : __sequence__<T> {};
template <class T> struct queue : __sequence__<T> {};
template <class T> struct stack : __sequence__<T> {};
template <class T> struct priority_queue : __sequence__<T> {};
template <class T> struct initializer_list : __sequence__<T> {};
template <class T> struct valarray : __sequence__<T> {};

template <class K, class V> struct __map__ {
  V __index__;
  pair<K, V> __elem__;
  V &at(K k);
  pair<K, V> *begin();
  pair<K, V> *end();
  pair<K, V> *rbegin();
  pair<K, V> *cbegin();
  pair<K, V> *find(K k);
  pair<K, V> *lower_bound(K k);
  pair<K, V> *upper_bound(K k);
  pair<K, V> *erase(K k);
  int count(K k);
  int size();
  bool empty();
  void clear();
};
template <class K, class V> struct map : __map__<K, V> {};
template <class K, class V> struct unordered_map : __map__<K, V> {};
template <class K, class V> struct multimap : __map__<K, V> {};
template <class K, class V> struct unordered_multimap : __map__<K, V> {};

// Classes of which no more is known than their names.
struct basic_string {
  basic_string substr(int from, int n = 0);
  basic_string append(basic_string s);
};
using string = basic_string;
using wstring = basic_string;
using string_view = basic_string;
template <class T> string to_string(T v);
struct basic_ostream {};
using ostream = basic_ostream;
struct basic_istream {};
using istream = basic_istream;
struct basic_iostream {};
using iostream = basic_iostream;
struct basic_fstream {};
using fstream = basic_fstream;
struct basic_ofstream {};
using ofstream = basic_ofstream;
struct basic_ifstream {};
using ifstream = basic_ifstream;
struct basic_stringstream { string str(); };
using stringstream = basic_stringstream;
struct basic_ostringstream { string str(); };
using ostringstream = basic_ostringstream;
struct basic_istringstream {};
using istringstream = basic_istringstream;
struct thread {};
struct mutex {};
struct recursive_mutex {};
struct condition_variable {};
struct exception {};
struct runtime_error {};
struct bitset {};
struct random_device {};
struct mt19937 {};
template <class T> struct function {};
template <class T> struct lock_guard {};
template <class T> struct unique_lock {};
template <class T> struct complex {};
template <class T> struct numeric_limits {};
