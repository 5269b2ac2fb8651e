/// The commit that the programs are built from, as git names it; empty if the build was not given one.
const char *built_commit(void);
