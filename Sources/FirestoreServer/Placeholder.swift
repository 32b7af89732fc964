#if Remote
enum Placeholder {}
#endif
