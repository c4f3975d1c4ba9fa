# Time to build a strategy.
high = 440
if (!setup) {
    eval head("time to build")
    set ytics ("100 ns" 1e2, "1 us" 1e3, "10 us" 1e4, "100 us" 1e5, "1 ms" 1e6, "10 ms" 1e7, "100 ms" 1e8, "1 s" 1e9)
    what = 5; hashing = 0
    load plots."costs.gp"
}
