#!/usr/bin/perl
# Mistakes: each command line of mistakes.txt ends with 2 and one line on standard error, as it stands below it there;
# nothing goes to standard output, and -o leaves no file. REWRITE=1 writes the lines that came out.
use strict;
use warnings;
use lib 'tests';
use Shared;
use Test::More;

without_leaks; # each ends at once

my $list = "$top/tests/golden/mistakes.txt";
my @line = split /\n/, slurp($list), -1;
pop @line;
my $new = '';
chdir "$top/tests/golden/input" or die "input: $!\n";
delete $ENV{COLUMNS};
$ENV{KEYSIM} = $keysim;

# keysim WORDS, read by a shell: its status, what it printed and what it complained of.
sub run {
    my ($words) = @_;
    my $status = system('sh', '-c', "exec >'$scratch/out' 2>'$scratch/err' </dev/null; \$KEYSIM $words") >> 8;
    return ($status, slurp("$scratch/out"), slurp("$scratch/err"));
}

for my $i (0 .. $#line) {
    if ($line[$i] !~ /^\$ (.*)/) {
        $new .= "$line[$i]\n" if $line[$i] =~ /^(?:#|$)/;
        next;
    }
    my $words = $1;
    my ($status, $out, $said) = run($words);
    $new .= "$line[$i]\n$said";
    my $wanted = $ENV{REWRITE} ? $said : ($line[$i + 1] // '') . "\n";
    is("$status, " . ($said =~ tr/\n//) . ' line, ' . length($out) . " bytes: $said", "2, 1 line, 0 bytes: $wanted", $words);
    next if $sanitized || $words =~ / -o |^help|^--|^$/;
    my ($before, $after) = $words =~ /^(.*?) (-- .*)/ ? ($1, " $2") : ($words, '');
    run("$before -o $scratch/made$after");
    my @made = glob("$scratch/*made* $scratch/.*made*");
    is("@made", '', "leaves no file: $before -o ...");
    unlink @made;
}
spill($list, $new) if $ENV{REWRITE};
done_testing;
