/* Alone in its file, as it is compiled anew whenever the revision is another. */
#include "base/version.h"

const char version_revision[] = KEYSIM_REVISION;
