package Tests;

# The tests that can notice a mutant: what each costs and which functions it calls, measured once as things stand, and running one.
use strict;
use warnings;
use Digest::MD5 qw(md5_hex);
use Exporter qw(import);
use File::Basename qw(basename);
use File::Path qw(make_path remove_tree);
use Time::HiRes qw(time);
use Work;
our @EXPORT = qw(run_test measure_tests in_order);

# Runs a test until it ends, fails or takes far longer than it should: what was wrong, or ''. $library: where libcore.so lies.
sub run_test {
    my ($test, $library) = @_;
    my ($cpu, $wall) = defined $test->{cpu} ? (int(5 * $test->{cpu}) + 5, int(20 * $test->{wall}) + 60) : (600, 3600);
    my $pid = open(my $out, '-|') // die "fork: $!\n";
    if (!$pid) {
        setpgrp;
        open STDERR, '>', '/dev/null';
        open STDIN, '<', '/dev/null';
        $ENV{LD_LIBRARY_PATH} = $library;
        exec 'sh', '-c', "ulimit -t $cpu -v 8000000 -f 2000000; exec $test->{command}";
    }
    my ($planned, $seen, $wrong) = (-1, 0, '');
    eval {
        local $SIG{ALRM} = sub { die "hangs\n" };
        alarm $wall;
        while (<$out>) {
            $planned = $1 if /^1\.\.(\d+)/;
            $seen++ if /^(?:not )?ok /;
            die 'fails: ' . (/^not ok \d+ - (.*)/ ? $1 : '') . "\n" if /^not ok/;
        }
        alarm 0;
    };
    $wrong = $@;
    alarm 0;
    kill 'KILL', -$pid if $wrong;
    close $out;
    $wrong ||= $? & 127 ? 'signal ' . ($? & 127) : $? ? 'status ' . ($? >> 8) : $planned != $seen ? 'ends early' : '';
    chomp $wrong;
    return $wrong;
}

# The programs and scripts of make test that can notice; those that hold all strategies to something are taken a strategy at a time.
sub all_tests {
    my @strategy = map { tr/_/-/r } slurp('strategies/list.h') =~ /^STRATEGY\((\w+)\)/gm;
    my %parts = ('tests/contract/verify_test' => ['twins', @strategy], map { ("tests/contract/${_}_test" => \@strategy) } qw(contract changes library));
    my @test;
    for my $name (map { s/\.c$//r } sort glob 'tests/unit/*_test.c tests/contract/*_test.c tests/property/*_test.c') {
        push @test, map { {name => $_ eq '' ? $name : "$name $_", command => "../base/$name $_"} } @{$parts{$name} // ['']};
    }
    return @test, map { {name => $_, command => "sh $_"} } qw(tests/golden/vectors.t tests/golden/cli.t tests/golden/mistakes.t tests/golden/compare.t tests/golden/incidents.t tests/readme.t);
}

# "file function" -> 1 of all that were called, as gcc's counters below a folder say.
sub called {
    my ($below) = @_;
    my %called;
    open my $out, '-|', "find $below -name '*.gcda' | xargs gcov --json-format --stdout" or die "gcov: $!\n";
    while (my $object = <$out>) {
        my ($file) = $object =~ m{"data_file": "[^"]*?covered/([^"]*)\.gcda"} or next;
        for my $f ($object =~ /\{[^{}]*"execution_count"[^{}]*\}/g) {
            my ($name) = $f =~ /"name": "([^"]+)"/ or next;
            $called{"$file.c $name"} = 1 if $f =~ /"execution_count": [1-9]/;
        }
    }
    return \%called;
}

# Runs a test as things stand: what it costs and which functions it calls, into a file.
sub measure {
    my ($t, $into) = @_;
    my ($start, @before) = (time, times);
    ($ENV{GCOV_PREFIX}, $ENV{GCOV_PREFIX_STRIP}) = ($into, work() =~ tr{/}{});
    make_path($into);
    system("cd @{[work]} && find covered -name '*.gcno' | xargs cp --parents -t $into") == 0 or die "$into: cannot be copied to\n";
    my $wrong = run_test($t, "@{[work]}/covered");
    my @after = times;
    die "mutants: $t->{name} $wrong, and nothing is broken yet\n" if $wrong;
    my $called = called($into);
    spill("$into.found", join "\n", time - $start, $after[2] + $after[3] - $before[2] - $before[3], sort keys %$called);
    remove_tree($into);
}

# All tests with what they cost and call; all must pass as things stand. What was measured of the same library and test before still holds.
sub measure_tests {
    my ($jobs) = @_;
    my @test = all_tests();
    my $core = md5_hex(slurp("@{[work]}/covered/libcore.so"));
    my $scripts = md5_hex(scalar `find README.md data tests/golden tests/*.t tests/lib.sh -type f | LC_ALL=C sort | xargs md5sum`);
    make_path("@{[work]}/measured");
    for my $t (@test) {
        my $self = $t->{command} =~ /^sh / ? $scripts : md5_hex(slurp($t->{command} =~ s/ .*//r));
        $t->{into} = "@{[work]}/measured/" . md5_hex("$core $self $t->{name}");
    }
    in_parallel($jobs, [grep { !-e "$_->{into}.found" } @test], sub { measure($_[0], $_[0]{into}) }, sub {});
    for my $t (@test) {
        ($t->{wall}, $t->{cpu}, my @called) = split /\n/, slurp("$t->{into}.found");
        $t->{calls} = {map { $_ => 1 } @called};
    }
    return @test;
}

# Those that call what is broken, the likely and quick ones first.
sub in_order { # MUTANT, KILLS of the file's mutants so far by test, TESTS
    my ($m, $kills, @test) = @_;
    my $stem = basename($m->{file}, '.c') =~ tr/_/-/r;
    my %rank;
    for my $t (@test) {
        my $near = basename($t->{name}) =~ /\b(?:strategies_|systems_)?\Q$stem\E/;
        $rank{$t->{name}} = ($near + ($kills->{$t->{name}} // 0)) / ($t->{cpu} + 0.05);
    }
    return sort { $rank{$b->{name}} <=> $rank{$a->{name}} || $a->{cpu} <=> $b->{cpu} || $a->{name} cmp $b->{name} }
        grep { !$m->{function} || $_->{calls}{"$m->{file} $m->{function}"} } @test;
}

1;
