/* The program's main under another name. */
int keysim_main(int argc, char **argv);
#define main keysim_main
#include "sim/main.c"
