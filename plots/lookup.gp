# Time of a look-up, the digest being ready; hashing apart.
high = 440
if (!setup) {
    eval head("time of a look-up, ns a key")
    what = 2; hashing = 1
    load plots."costs.gp"
}
