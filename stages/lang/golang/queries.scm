(function_declaration name: (identifier) @name) @definition.function

(comment) @comment

(package_clause (package_identifier) @package) @definition.module
(import_declaration) @import
