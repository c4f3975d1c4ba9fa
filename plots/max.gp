# How far the fullest node lies above its fair share.
high = 490
if (!setup) {
    eval head("fullest node, above its fair share")
    first = 2; level = 2
    third = "a perfect hash, these keys"
    load plots."vnodes.gp"
}
