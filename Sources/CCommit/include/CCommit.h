/// The commit that the programs are built from, as git tells it; empty where nobody told the build.
const char *built_commit(void);
