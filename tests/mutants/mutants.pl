#!/usr/bin/perl
# Mutation check: breaks strategies and metrics a line at a time and tells which test notices.
#
#   make mutants COUNT=240 SEED=1 JOBS=2 ONLY=strategies/ring.c TESTED='ring_test|contract_test ring'
#
# The tree is copied to build/mutants/tree and built there once, its core as a shared library. A mutant is one line changed: one object, whose
# names go before the core's. Then those tests that reach the line (gcc counts it) run until one fails. All pass unbroken first; one that takes far too long counts as a
# failure only if it is in time unbroken just then. What came of a mutant and a test is kept until one of them changes.
# What does not compile or gives the same object is no mutant, and another line is drawn. Those of equivalent.txt are counted apart: file, line, changed
# line and the reason, in the form in which survivors are printed. A file's share follows its lines; which of them are drawn depends on
# the seed and the line's text alone, so that an edit elsewhere draws no others. Ends with 1 when fewer than 90 % are killed.
use strict;
use warnings;
use Digest::MD5 qw(md5_hex);
use File::Basename qw(basename dirname);
use File::Path qw(make_path remove_tree);
use FindBin;
use Getopt::Long;
use lib $FindBin::Bin;
use Sites;
use Tests;
use Work;

my $WANTED = 90; # percent
my $PATIENCE = 20; # CPU seconds of tests that a mutant outlives: then it has survived
my %arg = (count => 240, seed => 1, jobs => 2, only => '', tests => '.');
GetOptions(\%arg, 'count=i', 'seed=s', 'jobs=i', 'only=s', 'tests=s') && !@ARGV or die "usage: make mutants [COUNT=N] [SEED=N] [JOBS=N] [ONLY=FOLDER/|FILE] [TESTED=PATTERN]\n";
$ENV{COMPILE} && $ENV{LINK} or die "mutants: run by make mutants, which knows the compiler\n";
$| = 1;

my $work = work;
my $tree = "$work/tree";
$ENV{BIN} = "$work/base/keysim";
$ENV{OMP_WAIT_POLICY} = 'passive';

# -- the copy and its build --

sub prepare {
    remove_tree($tree, "$work/made");
    make_path($tree, "$work/made");
    opendir my $top, '.' or die "$!\n";
    my @entry = grep { !/^\./ && !/^(?:build|report)$/ } readdir $top;
    system('cp', '-rp', @entry, $tree) == 0 or die "mutants: the tree cannot be copied\n";
    system("make -s -C $tree -j$arg{jobs} B=.. MPI= SAN= REVISION=mutant WARN=-w WERROR= OPT='-O1 -fvisibility=default' mutants-base >$work/log 2>&1") == 0
        or die "mutants: the tree does not build: $work/log\n";
    make_path("$tree/build"); # where tests put their files
    chdir $tree or die "$tree: $!\n";
}

# -- mutants --

sub equivalents { # "file\nline\nchanged line" -> reason
    my %reason;
    local $/ = '';
    open my $h, '<', "$FindBin::Bin/equivalent.txt" or die "equivalent.txt: $!\n";
    while (<$h>) {
        next if /^#/;
        my ($file, $old, $new, $why) = /^(\S+)\n-\s*(.*)\n\+\s*(.*)\n([^\n]+)\n*$/ or die "equivalent.txt: not file, -line, +line, reason:\n$_";
        die "equivalent.txt: no such line any more:\n$_" unless -e $file && index(slurp($file), $old) >= 0;
        $reason{"$file\n$old\n$new"} = $why;
    }
    return %reason;
}

# Each line that can be broken, in the order in which it is drawn: one mutant a line.
sub candidates {
    my ($file) = @_;
    my ($text, %line, %twin) = (slurp($file));
    for my $s (Sites::sites($text)) {
        my $from = rindex($text, "\n", $s->{at} - 1) + 1;
        push @{$line{$from}}, $s;
    }
    my @list;
    for my $from (sort { $a <=> $b } keys %line) {
        my $old = substr $text, $from, index($text, "\n", $from) - $from;
        my $key = "$arg{seed}:$file:$old:" . $twin{$old}++;
        my %by_op;
        push @{$by_op{$_->{op}}}, $_ for @{$line{$from}};
        my $pick = sub { my ($what, @of) = @_; $of[hex(substr md5_hex("$what:$key"), 0, 8) % @of] };
        my $site = $pick->('site', @{$by_op{$pick->('op', sort keys %by_op)}});
        my $new = $old;
        substr($new, $site->{at} - $from, $site->{length}) = $site->{new};
        my $broken = $text;
        substr($broken, $site->{at}, $site->{length}) = $site->{new};
        s/^\s+|\s+$//g for $old, $new;
        push @list, {file => $file, line => 1 + (substr($text, 0, $from) =~ tr/\n//), op => $site->{op}, function => $site->{function}, old => $old, new => $new, text => $broken, order => md5_hex($key)};
    }
    return sort { $a->{order} cmp $b->{order} } @list;
}

sub compile { # TEXT as FILE -> object, or ''
    my ($file, $text, $name) = @_;
    my $dir = "$work/made/$name";
    make_path($dir);
    spill("$dir/" . basename($file), $text);
    my $object = "$dir/mutant.o";
    system("$ENV{COMPILE} -Werror=int-conversion -Werror=incompatible-pointer-types -iquote " . dirname($file) . " -c -o $object $dir/" . basename($file) . " 2>$dir/errors");
    return $? == 0 ? $object : '';
}

# How many of a file, by its lines that can be broken, so that they sum to the count.
sub quotas {
    my ($count, %lines) = @_;
    my ($sum, $seen, $given, %quota) = (0, 0, 0);
    $sum += $_ for values %lines;
    for my $file (sort keys %lines) {
        $seen += $lines{$file};
        $quota{$file} = int($count * $seen / $sum + 0.5) - $given;
        $given += $quota{$file};
    }
    return %quota;
}

# Compiles a file's candidates until so many are mutants; what became of each that was looked at, a line each.
sub try_out {
    my ($file, $quota, $reason, @candidate) = @_;
    my $name = $file =~ tr{/}{.}r;
    my $same = slurp(compile($file, slurp($file), $name) || die "mutants: $file does not compile\n");
    my @fate;
    for my $i (0 .. $#candidate) {
        my $m = $candidate[$i];
        last if $quota == grep { /^drawn|^equivalent/ } @fate;
        my $known = $reason->{"$file\n$m->{old}\n$m->{new}"};
        my $object = $known ? '' : compile($file, $m->{text}, "$name.$i");
        push @fate, $known ? 'equivalent' : !$object ? 'uncompiled' : slurp($object) eq $same ? 'identical' : "drawn $object";
        remove_tree("$work/made/$name.$i") unless $fate[-1] =~ /^drawn/;
    }
    spill("$work/made/$name/fate", join "\n", @fate);
}

my %not = (uncompiled => 0, identical => 0, equivalent => 0);

sub draw {
    my @file = grep { index($_, $arg{only}) == 0 } split /\n/, `find strategies sim/metrics -name '*.c' | LC_ALL=C sort`;
    die "mutants: ONLY=$arg{only} begins no file of strategies/ or sim/metrics/\n" unless @file;
    my %reason = equivalents();
    my %candidate = map { $_ => [candidates($_)] } @file;
    my %quota = quotas($arg{count}, map { $_ => scalar @{$candidate{$_}} } @file);
    @file = grep { $quota{$_} } @file;
    in_parallel($arg{jobs}, \@file, sub { try_out($_[0], $quota{$_[0]}, \%reason, @{$candidate{$_[0]}}) }, sub {});
    my @drawn;
    for my $file (@file) {
        my @fate = split /\n/, slurp("$work/made/" . ($file =~ tr{/}{.}r) . '/fate');
        for my $i (0 .. $#fate) {
            my ($fate, $object) = split / /, $fate[$i], 2;
            if ($fate eq 'drawn') { push @drawn, {%{$candidate{$file}[$i]}, object => $object} } else { $not{$fate}++ }
        }
    }
    return @drawn;
}

# -- the hunt --

my %kills; # file -> test -> how many of the file's mutants it killed

# What a test finds wrong with a mutant, '' if nothing.
sub outcome {
    my ($m, $t) = @_;
    my $dir = dirname($m->{object});
    my $known = "$work/measured/" . md5_hex("$t->{into} " . slurp($m->{object}));
    return slurp($known) if -e $known;
    return '' unless settled($t);
    my $wrong = run_test($t, $dir);
    $wrong = '' if $wrong eq 'hangs' && run_test($t, "$work/base"); # the machine was slow, not the mutant
    spill($known, $wrong);
    return $wrong;
}

# Which test kills a mutant and how; ('', '') when none does.
sub hunt {
    my ($m, @test) = @_;
    my ($dir, $spent) = (dirname($m->{object}), 0);
    system("$ENV{LINK} -o $dir/libmutant.so $m->{object}") == 0 or die "mutants: $m->{file}: does not link\n";
    for my $t (in_order($m, $kills{$m->{file}} // {}, @test)) {
        my $wrong = outcome($m, $t);
        $spent += $t->{cpu} // 0;
        last if $spent > $PATIENCE && !$wrong;
        return ($t->{name}, $wrong) if $wrong;
    }
    return ('', '');
}

sub report {
    my ($m, $n, $of) = @_;
    printf "%3d/%d %s:%d %s: %s\n", $n, $of, $m->{file}, $m->{line}, $m->{op}, $m->{by} ? "killed by $m->{by} ($m->{how})" : 'SURVIVED';
    print "- $m->{old}\n+ $m->{new}\n" unless $m->{by};
}

sub hunt_all {
    my ($drawn, @test) = @_;
    my $done = 0;
    in_parallel($arg{jobs}, $drawn, sub { my ($m) = @_; spill(dirname($m->{object}) . '/found', join "\n", hunt($m, @test)) }, sub {
        my ($m) = @_;
        my $dir = dirname($m->{object});
        @{$m}{qw(by how)} = map { $_ // '' } (split /\n/, slurp("$dir/found"))[0, 1];
        $kills{$m->{file}}{$m->{by}}++ if $m->{by};
        remove_tree($dir);
        report($m, ++$done, scalar @$drawn);
    });
}

sub cpu_seconds { my @used = times; return $used[0] + $used[1] + $used[2] + $used[3] }

prepare();
my @test = measure_tests($arg{jobs}, qr/$arg{tests}/);
printf "%d tests pass unbroken: %.0f CPU seconds so far\n", scalar @test, cpu_seconds();
my @drawn = draw();
printf "%d mutants drawn; besides, %d do not compile, %d give the same object, %d are known to be equivalent\n", scalar @drawn, @not{qw(uncompiled identical equivalent)};
hunt_all(\@drawn, @test);

my @alive = grep { !$_->{by} } @drawn;
my $percent = @drawn ? 100 * (@drawn - @alive) / @drawn : 0;
if (@alive) {
    print "\nSurvivors:\n";
    print "$_->{file}:$_->{line} $_->{op}\n- $_->{old}\n+ $_->{new}\n\n" for sort { $a->{file} cmp $b->{file} || $a->{line} <=> $b->{line} } @alive;
}
printf "%d mutants: %d killed, %d equivalent, %d survived: %.1f %% of %d; %.0f CPU seconds\n", @drawn + $not{equivalent}, @drawn - @alive, $not{equivalent}, scalar @alive,
    $percent, scalar @drawn, cpu_seconds();
exit($percent < $WANTED);
