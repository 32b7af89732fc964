// Swift Testing begins all tests of a package simultaneously: a thousand of them on two cores, servers, sockets and contending
// transactions among them, run into each other's deadlines. The library takes a bound from the environment, which a package
// cannot set otherwise; a value that is set outside takes precedence.
#include <stdlib.h>

__attribute__((constructor)) static void bound_test_width(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
}
