/* The part of ranks.c that asks MPI; included there alone. */
#include "base/clock.h"

#include <mpi.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static MPI_Op add_wide;
static MPI_Datatype wide;
static volatile pid_t child;
static volatile sig_atomic_t told; /* the signal that this run was ended with */

static void pass_on(int signal)
{
    told = signal;
    if (child > 0)
        kill(child, signal);
}

/* mpirun ends with the status of the first process that failed, and with 128 + n where signal n killed it. So the
 * process that it watches is not the one that works: it waits for that one, and ends with 3 should it be killed. */
static void watch(void)
{
    signal(SIGINT, pass_on);
    signal(SIGTERM, pass_on);
    pid_t parent = getpid();
    if ((child = fork()) <= 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        if (child == 0 && (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent))
            _exit(3);
        return;
    }
    int status;
    while (waitpid(child, &status, 0) < 0)
        ;
    if (!WIFSIGNALED(status))
        _exit(WEXITSTATUS(status));
    if (told)
        _exit(128 + told);
    fprintf(stderr, "keysim: process %s was killed by signal %d (%s): nothing was written\n", getenv("PMIX_RANK"), WTERMSIG(status), strsignal(WTERMSIG(status)));
    _exit(3);
}

/* When another rank is gone and mpirun has not ended us yet. */
static void lost(MPI_Comm *world, int *error, ...)
{
    (void)error;
    MPI_Abort(*world, 3);
}

static void add(void *from, void *to, int *n, MPI_Datatype *type)
{
    __extension__ typedef unsigned __int128 sum;
    const sum *x = from;
    sum *y = to;
    (void)type;
    for (int i = 0; i < *n; i++)
        y[i] += x[i];
}

/* Without a launcher there is nobody to meet. */
static int launch(char why[WHY])
{
    int threads, size, rank, local;
    MPI_Errhandler handler;
    MPI_Comm machine;
    if (!ranks_launched())
        return 0;
    watch();
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &threads))
        return fail(why, EIO, "MPI cannot be started");
    MPI_Comm_create_errhandler(lost, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &local);
    MPI_Comm_free(&machine);
    MPI_Type_contiguous(2, MPI_UINT64_T, &wide);
    MPI_Type_commit(&wide);
    MPI_Op_create(add, 1, &add_wide);
    started = (unsigned)size;
    own = (unsigned)rank;
    here = (unsigned)local;
    return 0;
}

/* Waits asleep, longer the longer it takes: those that wait leave the cores to those that work. */
static void vote(const struct voice *mine)
{
    MPI_Request all;
    int done = 0;
    uint64_t begun = clock_ns();
    MPI_Iallgather(mine, sizeof *mine, MPI_BYTE, voices, sizeof *mine, MPI_BYTE, MPI_COMM_WORLD, &all);
    while (MPI_Test(&all, &done, MPI_STATUS_IGNORE), !done) {
        uint64_t ns = (clock_ns() - begun) / 16;
        nanosleep(&(struct timespec){.tv_nsec = ns > 20000000 ? 20000000 : (long)ns}, NULL);
    }
}

static void hear(char why[WHY], unsigned from)
{
    MPI_Bcast(why, WHY, MPI_CHAR, (int)from, MPI_COMM_WORLD);
}

static void reduce(enum joint how, void *data, size_t n)
{
    const MPI_Datatype type = how == SUM ? MPI_UINT64_T : how == SUM_WIDE ? wide : MPI_BYTE;
    const MPI_Op op = how == SUM ? MPI_SUM : how == SUM_WIDE ? add_wide : MPI_BOR;
    size_t each = how == SUM ? 8 : how == SUM_WIDE ? 16 : 1;
    for (size_t from = 0, some; from < n; from += some) {
        some = n - from < 1 << 24 ? n - from : 1 << 24;
        MPI_Allreduce(MPI_IN_PLACE, (char *)data + from * each, (int)some, type, op, MPI_COMM_WORLD);
    }
}

static void finish(void)
{
    if (ranks_launched())
        MPI_Finalize();
}
