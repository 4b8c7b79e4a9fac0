(function_definition declarator: (function_declarator declarator: (identifier) @name)) @definition.function

(comment) @comment
(preproc_arg) @macro

(preproc_include) @import
