; The name may stand in parentheses, or below what the function returns: up to
; four declarators of pointers, arrays or functions.
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @definition.function
(function_definition declarator: (function_declarator declarator: (parenthesized_declarator (identifier) @name))) @definition.function
(function_definition declarator: (_ (function_declarator declarator: (identifier) @name))) @definition.function
(function_definition declarator: (_ (_ (function_declarator declarator: (identifier) @name)))) @definition.function
(function_definition declarator: (_ (_ (_ (function_declarator declarator: (identifier) @name))))) @definition.function
(function_definition declarator: (_ (_ (_ (_ (function_declarator declarator: (identifier) @name)))))) @definition.function

(comment) @comment
(preproc_arg) @macro

(preproc_include) @import
