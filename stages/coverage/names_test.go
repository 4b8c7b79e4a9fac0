package coverage

import "testing"

func TestBase(t *testing.T) {
	for name, want := range map[string]string{
		"main":             "main",
		"ring_push.part.0": "ring_push",
		"f.constprop.1":    "f",
		"kelpdb::Store::get(std::basic_string<char, std::char_traits<char> > const&) const": "get",
		"std::vector<int, std::allocator<int> >::push_back(int&&)":                          "push_back",
		"void sort<int, (anonymous namespace)::less>(int*, int*)":                           "sort",
		"(anonymous namespace)::helper(int)":                                                "helper",
		"Foo<Bar<int>>::Foo(int)":                                                           "Foo",
		"Foo::~Foo()":                                                                       "~Foo",
		"Foo::operator()(int) const":                                                        "operator()",
		"Foo::operator<<(int)":                                                              "operator<<",
		"bool operator< <int>(A<int> const&, A<int> const&)":                                "operator<",
		"operator ==":                                       "operator==",
		"Foo::operator->() const":                           "operator->",
		"Foo::operator[](unsigned long)":                    "operator[]",
		"Foo::operator bool() const":                        "operatorbool",
		"operator bool":                                     "operatorbool",
		"operator new(unsigned long)":                       "operatornew",
		"operators(int)":                                    "operators",
		"my_operator(int)":                                  "my_operator",
		"f[abi:cxx11](int)":                                 "f",
		"decltype(auto) h(int)":                             "h",
		"a::f(int)::{lambda(int)#1}::operator()(int) const": "operator()",
		"a::f(int) const::Local::run()":                     "run",
		"f(void (*)(a::b))":                                 "f",
		"Foo::bar() const &":                                "bar",
		"std::enable_if<(N > 0), int>::type g<3>(int)":      "g",
		"_ZN6kelpdb5Store3getEv":                            "",
		"__ZN1a1bEv":                                        "",
		"größe(int)":                                        "größe",
		"":                                                  "",
		"<":                                                 "",
		"operator":                                          "operator",
	} {
		if got := base(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func FuzzBase(f *testing.F) {
	f.Add("a::f(int)::{lambda(int)#1}::operator()(int) const")
	f.Add("bool operator< <int>(A<int> const&)")
	f.Add("(((((<<<<operator")
	f.Fuzz(func(t *testing.T, name string) {
		if got := base(name); len(got) > len(name) {
			t.Errorf("%q of %q", got, name)
		}
	})
}
