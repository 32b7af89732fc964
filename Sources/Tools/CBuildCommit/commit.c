// SPDX-License-Identifier: Apache-2.0
#include "CBuildCommit.h"

const char *hearth_build_commit(void) { return HEARTH_COMMIT; }
