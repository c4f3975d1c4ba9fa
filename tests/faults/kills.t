#!/usr/bin/perl
# A report that is killed at any moment leaves each file under its final name entire, of the old report or of the new one, and the next
# one succeeds and clears what was left. KILLS=n (default 6) kills, two reports at a time, at moments drawn from a fixed seed: early ones
# more often, since most files are made early and such a kill costs little; one in 25 in the midst of the renaming at the end, where strace
# can be had. Interrupts leave nothing at all.
use strict;
use warnings;
use lib 'tests';
use Shared;
use Test::More;
use Time::HiRes 'sleep';
use POSIX ':sys_wait_h';

$ENV{OMP_WAIT_POLICY} = 'passive'; # on a busy machine threads that wait busily would cost most of it
my $kills = $ENV{KILLS} // 6;
my $work = $scratch;
my @report = ($keysim, 'report', '-q', '--quick', '-n', '3', '-k', 'user:count=1k', '-o');
my @strace = qw(strace -qq -e trace=rename);

# A child of its own process group, what it says in DIR.said.
sub start {
    my ($dir, @words) = @_;
    my $child = fork // die;
    return $child if $child;
    setpgrp;
    $SIG{INT} = 'DEFAULT';
    open STDIN, '<', '/dev/null';
    open STDOUT, '>', "$dir.out";
    open STDERR, '>', "$dir.said";
    exec @words or POSIX::_exit(99);
}

# Results whose bytes are the same each time.
sub exact { my ($name) = @_; return $name =~ /\.csv$/ && $name !~ /^(machine|latency|latency-neighbour|cost|hashes|bench|tune-time)\.csv$/ }

# What is wrong with the files under their final names.
sub halves {
    my ($dir, $whole) = @_;
    my @wrong;
    opendir my $d, $dir or return "no folder $dir";
    for my $name (grep { !/^\./ } readdir $d) {
        my $text = slurp("$dir/$name");
        my $lines = ($text =~ tr/\n//);
        my $good = $name =~ /\.svg$/ ? $text =~ m{</svg>\s*\z} : $name =~ /\.png$/ ? $text =~ /IEND\xae\x42\x60\x82\z/
            : $name =~ /\.html$/ ? $text =~ m{</html>\s*\z} : exact($name) ? $text eq $whole->{$name}
            : $name =~ /\.csv$/ ? $text =~ /\n\z/ && $lines == ($whole->{$name} =~ tr/\n//) : 0;
        push @wrong, $name unless $good;
    }
    return @wrong;
}

sub staged { my ($dir) = @_; opendir my $d, $dir or return; return grep { /^\.keysim-/ } readdir $d }

sub make { my ($dir) = @_; my $child = start($dir, @report, $dir); waitpid $child, 0; return $? >> 8 }

if (system('command -v gnuplot >/dev/null')) {
    plan skip_all => 'no gnuplot: apt-get install gnuplot-nox' if ($ENV{CI} // '') ne 'true';
    BAIL_OUT('no gnuplot');
}

ok(make("$work/a") == 0, 'a quick report') or diag(slurp("$work/a.said"));
my $took = (times)[2] + (times)[3]; # processor seconds: how long it takes beside another one, however busy the machine was just then
ok(system('cp', '-R', "$work/a", "$work/b") == 0, 'and its copy');
my %whole = map { s{.*/}{}r => slurp($_) } glob "$work/a/*";
ok(keys(%whole) > 80, 'the files of a report: ' . keys %whole);
my $traced = system("@strace -o $work/trace -e inject=rename:signal=KILL:when=9999 @report $work/b >$work/b.out 2>$work/said") == 0;
ok($traced || ($ENV{CI} // '') ne 'true', 'strace works') or diag(slurp("$work/said"));
note('NOT TESTED: kills in the midst of the renaming, since strace does not work here') unless $traced;
my $renames = () = slurp("$work/trace") =~ / = 0$/mg; # of each step's results first, of all files last
ok($renames > 1.5 * keys %whole, "all files are renamed at the end: $renames") if $traced;

# Kills reports into one folder, at moments from a fixed seed: lines of what was found.
sub hunt {
    my ($dir, $count, $state) = @_;
    my @found;
    my $fraction = sub { $state = ($state * 1103515245 + 12345) % 2**31; return $state / 2**31 };
    for my $k (1 .. $count) {
        my ($part, $last) = ($fraction->(), $traced && $k % 25 == 3);
        my $nth = $renames - int($part * keys %whole);
        my $child = start($dir, $last ? (@strace, '-o', "$dir.trace", '-e', "inject=rename:signal=KILL:when=$nth") : (), @report, $dir);
        if (!$last) {
            sleep $took * $part**4;
            kill 'KILL', $child;
        }
        waitpid $child, 0;
        push @found, "missed: $dir kill $k" if $last && $? != 9; # others may be done a little early
        push @found, 'within' if $last && staged($dir);
        kill 'KILL', -$child;
        push @found, map { "half: $_ in $dir after kill $k" } halves($dir, \%whole);
        next unless $k % 50 == 1 || $k == $count;
        push @found, "again: $dir after kill $k: " . slurp("$dir.said") if make($dir);
        push @found, "again: $dir: left " . join ' ', staged($dir) if staged($dir);
        push @found, map { "half: $_ in $dir made again" } halves($dir, \%whole);
    }
    return @found;
}

my @share = (int(($kills + 1) / 2), int($kills / 2));
for my $i (0, 1) {
    next if fork // die;
    spill("$work/found-$i", join "\n", hunt("$work/" . ('a', 'b')[$i], $share[$i], 20 + $i));
    POSIX::_exit(0);
}
1 while wait > 0;
my @found = map { my $file = "$work/found-$_"; ok(-e $file, "a share of the kills: $share[$_]"); split /\n/, slurp($file) } 0, 1;
sub none { my ($what, $name) = @_; is(join("\n", grep { /^$what/ } @found), '', $name) }
none('half', "no half file after $kills kills, " . grep({ $_ eq 'within' } @found) . ' of them while files were renamed');
none('missed', 'those were killed');
none('again', 'the next reports succeed, and clear what was left');

# Interrupted: nothing is left, an earlier report is whole; and gnuplot is gone too.
for my $signal (['INT', 130], ['TERM', 143]) {
    my ($name, $status) = @$signal;
    for my $part ($name eq 'INT' ? (0.1, 0.5, 0.8) : (0.3)) {
        my ($old, $new) = ("$work/a", "$work/new-$name-$part");
        my @child = (start($old, @report, $old), start($new, @report, $new));
        sleep $took * $part;
        kill $name, @child;
        my @status = map { waitpid $_, 0; $? >> 8 } @child;
        my @left = (staged($old), glob("$new/*"), staged($new), glob("$old/*.tmp-*"));
        ok(!(grep { $_ != $status && $_ != 0 } @status) && (!@left || !grep { $_ == $status } @status) && !halves($old, \%whole),
            "SIG$name at $part of a report: $status, nothing left") or diag("status @status, left @left; " . slurp("$new.said"));
    }
}
done_testing;
