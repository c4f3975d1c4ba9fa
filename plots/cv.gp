# Coefficient of variation of the load.
high = 490
if (!setup) {
    eval head("spread of load (CV)")
    first = 7; level = 5
    third = "noise of these keys"
    load plots."vnodes.gp"
}
