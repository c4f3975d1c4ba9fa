# Memory that a strategy holds.
high = 440
if (!setup) {
    eval head("memory")
    set ytics ("10 B" 1e1, "1 kB" 1e3, "10 kB" 1e4, "100 B" 1e2, "100 kB" 1e5, "1 MB" 1e6, "10 MB" 1e7, "100 MB" 1e8)
    what = 4; hashing = 0
    load plots."costs.gp"
}
