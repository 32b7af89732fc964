// The folder of libpq's header depends on the system; Debian's is `postgresql`.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#elif __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#define HEARTH_LACKS_LIBPQ
#endif

#ifdef HEARTH_LACKS_LIBPQ
#error "Hearth's trait Postgres needs libpq: apt-get install libpq-dev"
#elif !defined(LIBPQ_HAS_PIPELINING)
#error "Hearth's trait Postgres needs libpq 14 or later, which has pipelines"
#endif
