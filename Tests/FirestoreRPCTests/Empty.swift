#if Remote
#endif
