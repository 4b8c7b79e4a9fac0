(function_definition name: (identifier) @name) @definition.function

(comment) @comment
(expression_statement (string) @comment.doc)

[(import_statement) (import_from_statement)] @import
