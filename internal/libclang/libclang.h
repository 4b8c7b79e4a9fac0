// The part of libclang's C interface that index.c uses, declared here so that
// neither its headers nor the library are needed to build: it is opened at run
// time. Layouts and numbers are those that its documentation promises to keep
// (clang-c/Index.h; the same from LLVM 8 on).
#ifndef BENCHMILL_LIBCLANG_H
#define BENCHMILL_LIBCLANG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const void *data;
  unsigned flags;
} CXString;

typedef struct {
  int kind, xdata;
  const void *data[3];
} CXCursor;

typedef struct {
  const void *data[2];
  unsigned offset;
} CXSourceLocation;

typedef struct {
  const void *data[2];
  unsigned begin, end;
} CXSourceRange;

typedef struct {
  int kind;
  void *data[2];
} CXType;

typedef int (*CXVisitor)(CXCursor cursor, CXCursor parent, void *state);

// One line for each function that is used: result, name, arguments.
#define BM_CLANG(X)                                                                                        \
  X(CXString, getClangVersion, (void))                                                                     \
  X(const char *, getCString, (CXString))                                                                  \
  X(void, disposeString, (CXString))                                                                       \
  X(void *, createIndex, (int, int))                                                                       \
  X(void, disposeIndex, (void *))                                                                          \
  X(int, parseTranslationUnit2,                                                                            \
    (void *, const char *, const char *const *, int, void *, unsigned, unsigned, void **))                 \
  X(void, disposeTranslationUnit, (void *))                                                                \
  X(unsigned, getNumDiagnostics, (void *))                                                                 \
  X(void *, getDiagnostic, (void *, unsigned))                                                             \
  X(int, getDiagnosticSeverity, (void *))                                                                  \
  X(CXString, getDiagnosticSpelling, (void *))                                                             \
  X(void, disposeDiagnostic, (void *))                                                                     \
  X(CXCursor, getTranslationUnitCursor, (void *))                                                          \
  X(unsigned, visitChildren, (CXCursor, CXVisitor, void *))                                                \
  X(CXSourceLocation, getCursorLocation, (CXCursor))                                                       \
  X(CXSourceRange, getCursorExtent, (CXCursor))                                                            \
  X(CXSourceLocation, getRangeStart, (CXSourceRange))                                                      \
  X(CXSourceLocation, getRangeEnd, (CXSourceRange))                                                        \
  X(void, getExpansionLocation, (CXSourceLocation, void **, unsigned *, unsigned *, unsigned *))           \
  X(void, getFileLocation, (CXSourceLocation, void **, unsigned *, unsigned *, unsigned *))                \
  X(CXString, getFileName, (void *))                                                                       \
  X(const char *, getFileContents, (void *, void *, size_t *))                                             \
  X(CXCursor, getCursorReferenced, (CXCursor))                                                             \
  X(CXCursor, getCursorDefinition, (CXCursor))                                                             \
  X(CXCursor, getCursorSemanticParent, (CXCursor))                                                         \
  X(CXCursor, getSpecializedCursorTemplate, (CXCursor))                                                    \
  X(CXString, getCursorSpelling, (CXCursor))                                                               \
  X(CXString, getCursorUSR, (CXCursor))                                                                    \
  X(CXType, getCursorType, (CXCursor))                                                                     \
  X(CXString, getTypeSpelling, (CXType))                                                                   \
  X(CXType, getCanonicalType, (CXType))                                                                    \
  X(CXType, getPointeeType, (CXType))                                                                      \
  X(int, getCursorLinkage, (CXCursor))                                                                     \
  X(unsigned, isCursorDefinition, (CXCursor))                                                              \
  X(unsigned, Cursor_isFunctionInlined, (CXCursor))                                                        \
  X(unsigned, Cursor_isInlineNamespace, (CXCursor))                                                        \
  X(unsigned, Cursor_isAnonymous, (CXCursor))                                                              \
  X(unsigned, getNumOverloadedDecls, (CXCursor))                                                           \
  X(CXCursor, getOverloadedDecl, (CXCursor, unsigned))                                                     \
  X(unsigned, equalCursors, (CXCursor, CXCursor))                                                          \
  X(unsigned, hashCursor, (CXCursor))                                                                      \
  X(int, Cursor_isNull, (CXCursor))

#define X(result, name, arguments) result(*name) arguments;
typedef struct {
  BM_CLANG(X)
} bm_clang;
#undef X

// Kinds of cursors.
enum {
  KIND_UNEXPOSED_DECL = 1, KIND_STRUCT = 2, KIND_UNION = 3, KIND_CLASS = 4, KIND_FIELD = 6, KIND_FUNCTION = 8,
  KIND_VAR = 9, KIND_PARAMETER = 10, KIND_METHOD = 21, KIND_NAMESPACE = 22, KIND_LINKAGE = 23, KIND_CONSTRUCTOR = 24,
  KIND_DESTRUCTOR = 25, KIND_CONVERSION = 26, KIND_FUNCTION_TEMPLATE = 30, KIND_CLASS_TEMPLATE = 31,
  KIND_PARTIAL = 32, KIND_TYPE_REF = 43, KIND_TEMPLATE_REF = 45, KIND_NAMESPACE_REF = 46, KIND_MEMBER_REF = 47,
  KIND_OVERLOADED_REF = 49, KIND_DECL_REF_EXPR = 101, KIND_MEMBER_REF_EXPR = 102, KIND_CALL = 103,
  KIND_C_CAST = 117, KIND_FUNCTIONAL_CAST = 128, KIND_NEW = 134, KIND_COMPOUND = 202, KIND_TRY = 224,
  KIND_MACRO_USE = 502, KIND_FRIEND = 603
};

// Kinds of types.
enum { TYPE_POINTER = 101, TYPE_BLOCK = 102, TYPE_FUNCTION_NO_PROTO = 110, TYPE_FUNCTION = 111, TYPE_MEMBER_POINTER = 117 };

enum { VISIT_BREAK = 0, VISIT_NEXT = 1, VISIT_INTO = 2 };

#endif
