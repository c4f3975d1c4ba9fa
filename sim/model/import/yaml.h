/* Inside the importers: a YAML document as a tree. The whole file is read by libyaml; what is not there is NULL. */
#ifndef MODEL_IMPORT_YAML_H
#define MODEL_IMPORT_YAML_H

#include "model/import/import.h"
#include <yaml.h>

/* The document's tree: *root is NULL when there is none. To be deleted with yaml_document_delete. */
int yaml_read(const struct import *in, const char *text, yaml_document_t *doc, yaml_node_t **root, char why[WHY]);

/* The value of a key; names match whatever their case and underscores (lb_policy, lbPolicy). */
yaml_node_t *yaml_get(yaml_document_t *doc, const yaml_node_t *map, const char *key);
yaml_node_t *yaml_path(yaml_document_t *doc, yaml_node_t *map, const char *keys); /* "a.b.c" */

/* Item i of a sequence; pair i of a mapping, its key in *key. NULL beyond the last. */
yaml_node_t *yaml_item(yaml_document_t *doc, const yaml_node_t *list, size_t i);
yaml_node_t *yaml_pair(yaml_document_t *doc, const yaml_node_t *map, size_t i, const char **key);

const char *yaml_text(const yaml_node_t *node); /* of a scalar, "" where it is none or holds a zero byte */
bool yaml_true(const yaml_node_t *node);
uint64_t yaml_line(const yaml_node_t *node);

#endif
