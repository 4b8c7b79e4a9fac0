(method_declaration name: (identifier) @name) @definition.function
(local_function_statement name: (identifier) @name) @definition.function

(comment) @comment

(using_directive) @import

(namespace_declaration name: (_) @module.name) @definition.module
(file_scoped_namespace_declaration name: (_) @module.name) @definition.module

(class_declaration name: (identifier) @type.name) @type
(struct_declaration name: (identifier) @type.name) @type
(interface_declaration name: (identifier) @type.name) @type
(enum_declaration name: (identifier) @type.name) @type
(record_declaration name: (identifier) @type.name) @type
(delegate_declaration name: (identifier) @type.name) @type
