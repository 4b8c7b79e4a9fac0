(function_declaration name: (identifier) @name) @definition.function

(comment) @comment

(import_statement) @import
(export_statement source: (string) @export)

; Of a call's arguments only literals are kept; which function is called stands
; in the text before them.
(arguments (string) @argument)
(arguments (template_string) @argument)
