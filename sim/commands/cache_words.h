/* The words of keysim cache. */
#ifndef COMMANDS_CACHE_WORDS_H
#define COMMANDS_CACHE_WORDS_H

#include "commands/request.h"

words_writer cache_words, cache_words_nodes; /* the windows; and each node's of the last one */

#endif
