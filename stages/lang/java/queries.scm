(method_declaration name: (identifier) @name) @definition.function

[(line_comment) (block_comment)] @comment

; The grammar takes some lines of text blocks for comments.
(string_literal [(line_comment) (block_comment)] @text)

(package_declaration) @definition.module @reference.package
(import_declaration) @import

(class_declaration name: (identifier) @type.name) @type
(interface_declaration name: (identifier) @type.name) @type
(enum_declaration name: (identifier) @type.name) @type
(record_declaration name: (identifier) @type.name) @type
(annotation_type_declaration name: (identifier) @type.name) @type

; The one node around methods without a brace of its own. Named here, it is
; looked into whatever its text.
(enum_body_declarations (_) @member)
