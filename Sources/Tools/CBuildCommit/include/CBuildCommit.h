#ifndef C_BUILD_COMMIT_H
#define C_BUILD_COMMIT_H

/// The commit that the program was built from, or an empty text. `HEARTH_COMMIT` in the environment of the build gives it.
///
/// In C, because only a C target takes a text from the manifest: another commit compiles this file alone.
const char *hearth_build_commit(void);

#endif
