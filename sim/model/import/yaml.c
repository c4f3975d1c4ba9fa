#include "model/import/yaml.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

enum { MERGES = 8 }; /* depth of `<<: *base` */
enum { DEEPEST = 64 }; /* lists and maps in one another: libyaml takes time by the square of it */

/* Refuses what is nested too deeply to be a configuration. What is no YAML at all, the loading says. */
static int check_depth(const struct import *in, const char *text, char why[WHY])
{
    yaml_parser_t parser;
    yaml_event_t event;
    if (!yaml_parser_initialize(&parser))
        return fail(why, ENOMEM, "no memory for %s", in->path);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
    int e = 0;
    bool more = true;
    for (size_t depth = 0; more && !e && yaml_parser_parse(&parser, &event); yaml_event_delete(&event)) {
        depth += event.type == YAML_SEQUENCE_START_EVENT || event.type == YAML_MAPPING_START_EVENT;
        depth -= event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT;
        more = event.type != YAML_STREAM_END_EVENT;
        if (depth > DEEPEST)
            e = import_fail(in, event.start_mark.line + 1, why, "lists and maps lie more than %d deep in one another", DEEPEST);
    }
    yaml_parser_delete(&parser);
    return e;
}

int yaml_read(const struct import *in, const char *text, yaml_document_t *doc, yaml_node_t **root, char why[WHY])
{
    yaml_parser_t parser;
    int e = check_depth(in, text, why);
    if (e)
        return e;
    if (!yaml_parser_initialize(&parser))
        return fail(why, ENOMEM, "no memory for %s", in->path);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
    if (!yaml_parser_load(&parser, doc)) {
        bool memory = parser.error == YAML_MEMORY_ERROR || parser.error == YAML_NO_ERROR; /* some of its failures name no error: memory was out */
        e = memory ? fail(why, ENOMEM, "no memory for %s", in->path)
                   : import_fail(in, parser.problem_mark.line + 1, why, "%s", parser.problem ? parser.problem : "not YAML");
    }
    yaml_parser_delete(&parser);
    if (!e)
        *root = yaml_document_get_root_node(doc);
    return e;
}

static bool same_key(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a == '_')
            a++;
        while (*b == '_')
            b++;
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
        if (!*a)
            return true;
    }
}

static yaml_node_t *get(yaml_document_t *doc, const yaml_node_t *map, const char *key, int merges)
{
    const char *name;
    yaml_node_t *value, *base = NULL;
    for (size_t i = 0; (value = yaml_pair(doc, map, i, &name)); i++) {
        if (same_key(name, key))
            return value;
        if (!strcmp(name, "<<"))
            base = value;
    }
    return base && merges > 0 ? get(doc, base, key, merges - 1) : NULL;
}

yaml_node_t *yaml_get(yaml_document_t *doc, const yaml_node_t *map, const char *key)
{
    return get(doc, map, key, MERGES);
}

yaml_node_t *yaml_path(yaml_document_t *doc, yaml_node_t *map, const char *keys)
{
    char key[64];
    while (map && *keys) {
        size_t len = strcspn(keys, ".");
        memcpy(key, keys, len);
        key[len] = 0;
        map = yaml_get(doc, map, key);
        keys += len + (keys[len] == '.');
    }
    return map;
}

yaml_node_t *yaml_item(yaml_document_t *doc, const yaml_node_t *list, size_t i)
{
    if (!list || list->type != YAML_SEQUENCE_NODE)
        return NULL;
    yaml_node_item_t *item = list->data.sequence.items.start + i;
    return item < list->data.sequence.items.top ? yaml_document_get_node(doc, *item) : NULL;
}

yaml_node_t *yaml_pair(yaml_document_t *doc, const yaml_node_t *map, size_t i, const char **key)
{
    if (!map || map->type != YAML_MAPPING_NODE)
        return NULL;
    yaml_node_pair_t *pair = map->data.mapping.pairs.start + i;
    if (pair >= map->data.mapping.pairs.top)
        return NULL;
    *key = yaml_text(yaml_document_get_node(doc, pair->key));
    return yaml_document_get_node(doc, pair->value);
}

const char *yaml_text(const yaml_node_t *node)
{
    if (!node || node->type != YAML_SCALAR_NODE)
        return "";
    const char *text = (const char *)node->data.scalar.value;
    return strlen(text) == node->data.scalar.length ? text : "";
}

bool yaml_true(const yaml_node_t *node)
{
    const char *text = yaml_text(node);
    return !strcmp(text, "true") || !strcmp(text, "yes") || !strcmp(text, "on") || !strcmp(text, "1");
}

uint64_t yaml_line(const yaml_node_t *node)
{
    return node->start_mark.line + 1;
}
