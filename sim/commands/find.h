/* keysim where --find: keys that go where one wants them. */
#ifndef COMMANDS_FIND_H
#define COMMANDS_FIND_H

#include "commands/args.h"

int find_run(struct args *a, char why[WHY]); /* as a command's run; 1: not all were found */

#endif
