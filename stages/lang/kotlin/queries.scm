(function_declaration (simple_identifier) @name) @definition.function

[(line_comment) (multiline_comment)] @comment

(package_header) @definition.module
(import_header) @import

(source_file (class_declaration (type_identifier) @declared))
(source_file (object_declaration (type_identifier) @declared))
(source_file (type_alias (type_identifier) @declared))
(source_file (function_declaration (simple_identifier) @declared))
(source_file (property_declaration (variable_declaration (simple_identifier) @declared)))

(simple_identifier) @reference.name
(type_identifier) @reference.type
