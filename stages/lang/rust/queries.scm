(function_item name: (identifier) @name) @definition.function

[(line_comment) (block_comment)] @comment

[(use_declaration) (extern_crate_declaration)] @import

(mod_item name: (identifier)) @definition.module
(attribute_item) @attribute

; Paths are read from the text between these.
[(string_literal) (raw_string_literal)] @string
