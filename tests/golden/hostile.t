#!/usr/bin/perl
# Hostile text: names, keys, labels and file names that mean something to a page, a shell, a terminal, a spreadsheet or gnuplot, or
# that are no text, or 64 KB long, by every way in and out. What gnuplot and the page make of them: tests/golden/report.t.
use strict;
use warnings;
use JSON::PP;
use lib 'tests';
use Shared;
use Test::More;
no warnings 'qw'; # words with commas are meant

without_leaks;
chdir $scratch or die;
my $canary = 'touch CANARY';
my $long = 'n' x 65536;
my %text = (
    html => '<script>alert(1)</script>&amp;', quotes => "a'b\"c", backslash => 'back\\slash\\', formula => "=cmd|' /C calc'!A0",
    plus => '+1-1', at => '@SUM(1)', ticks => "`$canary`", dollar => "\$($canary)", gnuplot => "system(\"$canary\")", enhanced => '{/Symbol a}',
    escape => "\e[31mred\e]0;title\a", c1 => "\xc2\x9b31m", turned => "\xe2\x80\xaecod.exe", invalid => "\xff\xfe\xc0\x80", cut => "\xf0\x9f\x98",
    lines => "two\nlines\r\n", tab => "a\tb", format => '%s%n%*d', blank => ' a b ', comma => 'a,b;c', comment => '#a', utf8 => "\xc3\xa9\xe4\xb8\xad", dash => '--help',
    home => '~/x', glob => '* ?', semicolon => "; $canary;", pipe => "|$canary", history => '!!', del => "a\x7f", marks => '{{answer}}', tag => '{t}ag', long => $long,
);
my @kinds = sort keys %text;
my @short = grep { $_ ne 'long' } @kinds;

sub percent { join '', map { /[\x21-\x24\x26-\x7e]/ && $_ ne '#' ? $_ : sprintf '%%%02X', ord } split //, $_[0] } # as it is written
sub encoded { percent($_[0]) =~ s/,/%2C/gr } # a node file with a bare comma is taken for another format

# Status, standard output, standard error.
sub run {
    my $child = fork // die;
    if (!$child) {
        open STDIN, '<', '/dev/null';
        open STDOUT, '>', 'out';
        open STDERR, '>', 'err';
        exec { $keysim } 'keysim', @_ or exit 127;
    }
    waitpid $child, 0;
    return ($? & 127 ? "signal $?" : $? >> 8, slurp('out'), slurp('err'));
}

# Shown on a terminal, these bytes do nothing: UTF-8 without control characters other than the ends of lines, without marks that turn the writing.
sub is_harmless {
    my ($bytes) = @_;
    my $copy = $bytes;
    return 0 unless utf8::decode($copy);
    return $copy !~ /[\x00-\x09\x0b-\x1f\x7f-\x9f\x{61c}\x{200e}\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}]/;
}

# A column of a CSV, without its heading.
sub column { my ($csv, $at) = @_; my @rows = records($csv); return map { $_->[$at] // '' } @rows[1 .. $#rows] }

# How many rows JSON has.
sub decoded { my ($json) = @_; return scalar @{(eval { decode_json($json) }) || []} }

# RFC 4180, strictly.
sub records {
    my ($csv) = @_;
    my @rows;
    pos($csv) = 0;
    while (pos($csv) < length $csv) {
        my @row;
        while (1) {
            if ($csv =~ /\G"((?:[^"]|"")*+)"/gc) { push @row, $1 =~ s/""/"/gr }
            elsif ($csv =~ /\G([^",\r\n]*+)/gc) { push @row, $1 }
            next if $csv =~ /\G,/gc;
            last if $csv =~ /\G\n/gc;
            return (['no CSV at ' . pos $csv]);
        }
        push @rows, \@row;
    }
    return @rows;
}

sub refused { # one line that says what is wrong, and nothing done
    my ($name, @words) = @_;
    my ($status, $out, $err) = run(@words);
    my $fine = $status == 2 && $out eq '' && $err =~ /\Akeysim: [^\n]+\n\z/ && length $err < 2060 && is_harmless($err);
    ok($fine, $name) or diag("$status, '" . substr($err, 0, 300) . "'");
}

my $all_keys = join '', map { "$text{$_}\0" } @kinds;
spill('keys', $all_keys);
spill('names', join '', map { encoded($text{$_}) . "\n" } @kinds);

# --- keys ----------------------------------------------------------------------------------------
my ($status, $out, $err) = run(qw(hash -0 -f keys));
my @rows = records($out);
is("$status " . join("\0", map { $_->[0] } @rows[1 .. $#rows]) . "\0", "0 $all_keys", 'CSV holds the very bytes of the keys');
SKIP: {
    skip 'no sqlite3', 1 unless grep { -x "$_/sqlite3" } split /:/, $ENV{PATH};
    spill('keys.csv', $out);
    is(lc `sqlite3 :memory: -cmd '.import --csv keys.csv t' 'select group_concat(hex(key), "00") from t' 2>&1`, unpack('H*', $all_keys =~ s/\0\z//r) . "\n", 'and so it reads to sqlite');
}
($status, $out) = run(qw(where -s ring -n 3 -0 -f keys --explain));
@rows = records($out);
is("$status " . join("\0", map { $_->[0] eq $_->[2] } @rows[1 .. $#rows]), '0 ' . join("\0", (1) x @kinds), 'where --explain: the part that is hashed too');
($status, $out) = run(qw(where -s redis-cluster -n 3 -0 -f keys --explain));
@rows = records($out);
is((grep { $_->[0] eq '{t}ag' } @rows)[0][2], 't', 'a hash tag');
for my $format (['hash'], [qw(where -s ring -n 3)], [qw(where -s ring -n 3 --explain)], [qw(where -s twemproxy:tag={} -n 3 --explain)]) {
    ($status, $out, $err) = run(@$format, qw(-0 -f keys --format table));
    ok($status == 0 && is_harmless($out) && $err eq '', "@$format: a table of keys is harmless");
}
($status, $out) = run(qw(where -s ring -n 3 -0 -f keys --format json));
my $json = eval { decode_json($out) } || [];
my $lost = 0;
for my $i (0 .. $#kinds) {
    my $wanted = $text{$kinds[$i]};
    $wanted = $kinds[$i] eq 'cut' ? "\x{fffd}" x 3 : "\x{fffd}" x 4 unless utf8::decode($wanted);
    $lost++ unless ($json->[$i]{key} // '') eq $wanted;
}
is("$status " . @$json . " $lost", '0 ' . @kinds . ' 0', 'JSON holds the keys, and U+FFFD for each byte that is no UTF-8');
ok($out !~ /[\x00-\x09\x0b-\x1f\x7f]|\xe2\x80\xae|\xc2\x9b/, 'and escapes what a terminal would obey');
SKIP: {
    skip 'no jq', 1 unless grep { -x "$_/jq" } split /:/, $ENV{PATH};
    spill('keys.json', $out);
    is(`jq length keys.json 2>&1`, @kinds . "\n", 'jq reads it');
}
$lost = 0;
for my $kind (@kinds) {
    next if $kind eq 'lines'; # a word may hold them, but a file of lines cannot: compared below
    my (undef, $word) = run('hash', '--', $text{$kind});
    spill('one', "$text{$kind}\n");
    my (undef, $line) = run(qw(hash -f one));
    my (undef, $encoded) = run(qw(hash --percent --), percent($text{$kind}));
    my @digest = map { (records($_))[1][1] } $word, $line, $encoded;
    $lost++ unless $digest[0] eq $digest[1] && $digest[1] eq $digest[2] && (records($word))[1][0] eq $text{$kind} && (records($encoded))[1][0] eq percent($text{$kind});
}
is($lost, 0, 'a key is the same as a word, as a line, and percent-encoded');

# --- names ---------------------------------------------------------------------------------------
($status, $out) = run(qw(ranges -s slots -n @names --percent));
is("$status " . join(' ', column($out, 0)), '0 ' . join(' ', map { percent($text{$_}) } @kinds), 'names of a file, percent-encoded in and out');
($status, $out) = run(qw(ranges -s slots -n @names --percent --format json));
is("$status " . decoded($out), '0 ' . @kinds, 'as JSON');
my @listed = grep { $text{$_} !~ /[,=\n]|\\\z/ && $text{$_} !~ /\A\@/ } @kinds; # what a list can hold
($status, $out, $err) = run(qw(ranges -s slots -n), join ',', map { $text{$_} } @listed);
is("$status " . join("\0", column($out, 0)), '0 ' . join("\0", map { $text{$_} } @listed), 'names of a list');
($status, $out) = run(qw(balance -s ring -n @names --percent --per-node --exact));
ok($status == 0 && records($out) == @kinds + 1, 'balance --per-node');
my @tables = (
    [qw(where -s ring -n @names --replicas 3 a b)], [qw(where -s ring -n @names --explain a b c d e)], [qw(where -s ring -n @names --change -%25s%25n%25*d a)],
    [qw(ranges -s slots -n @names)], [qw(balance -s ring -s modulo -n @names -k user:count=1k)], [qw(balance -s ring -n @names --per-node --exact)],
    [qw(remap -s ring -n @names --change each --exact)], [qw(availability -s ring:vnodes=4 -n @names)], [qw(plan -s slots -n @names --change +1)],
    [qw(plan -s ring -n @names --change -two%0Alines%0D%0A)], [qw(plan -s slots -n @names --change -%0A --emit slots)],
    [qw(plan -s slots -n @names --change +%1B[2J%0Ax --emit slots)],
    [qw(failure -s ring:vnodes=4 -n @names --capacity 1.1)], [qw(failure -s ring:vnodes=4 -n @names --kill), percent($text{escape}), qw(--per-node)],
    [qw(failure -s ring:vnodes=4 -n @names --kill), percent($text{lines})], [qw(cache -s ring -n @names --cache-items 10 -k user:count=100,zipf=1,requests=2k --per-node)],
    [qw(cache -s ring -n @names --cache-items 10 -k user:count=100,zipf=1,requests=2k --at), '1k:-' . percent($text{lines})],
    [qw(names -s ring -n @names)], [qw(names -n @names)], [qw(churn -s ring:vnodes=4 -n @names --events 5 -k user:count=1k)],
    [qw(compare -s ring -s modulo -n @names -k user:count=1k)],
);
my ($lines, $words) = (0, 0);
for my $table (@tables) {
    ($status, $out, $err) = run(@$table, qw(--percent -H xxh64 --seed 7 --format table -q));
    if ("@$table" =~ /-%0A --emit/) { # a node that there is none of
        ok($status == 2 && $err =~ /\A[^\n]+\n\z/ && is_harmless($err), "@$table: is refused");
        next;
    }
    ok($status == 0 && is_harmless($out) && is_harmless($err), "@$table: harmless on a terminal") or diag("$status " . substr($err, 0, 300));
    next unless $out =~ /^Next: (.*)\n\z/m;
    $lines++;
    $words++ if $1 =~ /\@names .*-H xxh64 --seed 7 --percent/;
}
is("$words of $lines", "$lines of $lines", 'suggestions keep the hash, the seed and --percent');
ok($lines >= 12, "there are some ($lines)");

# --- suggestions, pasted ----------------------------------------------------------------------------
spill('bin.sh', "keysim() { printf '%s\\0' \"\$@\" >words; }\n");
sub pasted { # the words that bash makes of it
    my ($line) = @_;
    unlink 'words';
    spill('paste', slurp('bin.sh') . "$line\n");
    system 'bash', '--norc', 'paste';
    return split /\0/, slurp('words'), -1;
}
my $list = join ',', map { $text{$_} } grep { $_ ne 'long' } @listed;
my @ways = (
    ['balance', '-n', $list, qw(-s ring -k user:count=1k)], ['balance', '-n', $list, qw(-s ring --per-node --exact)], ['remap', '-n', $list, qw(-s ring --change +1 -k user:count=1k)],
    ['ranges', '-n', $list, qw(-s slots)], ['availability', '-n', $list, qw(-s ring:vnodes=4)], ['failure', '-n', $list, qw(-s ring:vnodes=4)],
    ['names', '-n', $list, qw(-s ring)], ['names', '-n', $list], ['compare', '-n', $list, qw(-s ring -s slots -k user:count=1k)], ['churn', '-n', $list, qw(-s ring --events 3 -k user:count=1k)],
    ['plan', '-n', $list, qw(-s slots --change +1)], ['cost', '-n', $list, qw(-s modulo)], ['cache', '-n', $list, qw(-s ring --cache-items 5 -k user:count=50,zipf=1,requests=1k)],
);
for my $way (@ways) {
    ($status, $out, $err) = run(@$way, qw(--format table -q));
    my ($next) = $out =~ /^Next: (.*)\n\z/m;
    my @got = pasted($next // '');
    my ($at) = grep { $got[$_] eq '-n' } 0 .. $#got;
    is($status . ' ' . (defined $at ? $got[$at + 1] : 'none'), "0 $list", "$way->[0] -n: a suggestion, pasted, is what was given") or diag($err);
}
my $label = "a b'\$($canary)`$canary`\e[31m\"\\\\{node}#{i}";
for my $way ([qw(balance -n 3)], [qw(balance -n 3 -k user:count=1k,zipf=1.2,requests=5k)], [qw(remap -n 3 --change +1 --exact)], [qw(cost -n 3)], [qw(plan -n 3 --change +1)]) {
    ($status, $out) = run(@$way, '-s', "ring:vnodes=3,label=$label", qw(--format table -q));
    my @got = pasted($out =~ /^Next: (.*)\n\z/m ? $1 : '');
    my ($at) = grep { $got[$_] eq '-s' } 0 .. $#got;
    is("$status $got[$at + 1] " . is_harmless($out), "0 ring:vnodes=3,label=$label 1", "@$way -s: too");
}
my $prefix = "$text{escape} '$text{ticks}\n";
for my $way ([qw(balance -s ring)], [qw(remap -s ring --change +1)], [qw(churn -s ring --events 3)], [qw(compare -s ring -s jump)], [qw(plan -s jump --change +1)], [qw(cache -s ring --cache-items 3)]) {
    ($status, $out) = run(@$way, qw(-n 3 -q --format table -k), "user:count=1k,zipf=1,requests=2k,prefix=$prefix");
    ok($status == 0 && is_harmless($out) && $out !~ /`$canary`$/m, "@$way: a workload's options are shown on one line");
}
($status, $out) = run(qw(balance -s ring -n 3 -k), "user:count=100,zipf=1.5,requests=2k,prefix=$prefix", qw(--format table));
my @got = pasted($out =~ /^Next: (.*)\n\z/m ? $1 : '');
like(join("\n", @got), qr/^user:count=100,zipf=1.5,requests=2k,prefix=\Q$prefix\E/m, 'and pasted as they were');
($status, $out) = run(qw(where -n 2 a --explain -s), "ring:label=$label");
like((records($out))[1][5], qr/\A\Qa b'$($canary)`$canary`\E\e\[31m"\\*node-[01]#\d+\z/, 'labels of points in CSV');
($status, $out) = run(qw(where -n 2 a --explain --format table -s), "ring:label=$label");
ok($status == 0 && is_harmless($out), 'and on a terminal');

# --- a script of redis-cli -----------------------------------------------------------------------------
my @bad = ("x';$canary;':7000", "\$($canary):7001", "`$canary`:7002", "a\n$canary:7003", "\e[2J:7004", "-x:7005", "h:70 $canary");
spill('redis', join '', map { encoded($_) . "\n" } @bad);
($status, $out, $err) = run(qw(plan -s redis-cluster -n @redis --percent --change +10.0.0.9:7000 --emit redis-cli -o move.sh));
my $script = slurp('move.sh');
ok($status == 0 && is_harmless($script), 'a script of hostile addresses is printable') or diag($err);
is(system('sh', '-n', 'move.sh'), 0, 'a shell reads it');
is((system('sh move.sh >out 2>&1') >> 8) . ' ' . slurp('out'), "2 fill in the addresses at the top\n", 'and it asks for addresses that are none');

# --- files ------------------------------------------------------------------------------------------------
for my $kind (@short) {
    my $name = $text{$kind} =~ s{/}{_}gr;
    spill("./$name", "a\nb\n");
    my $failed = '';
    for my $way (['hash', '-f', "./$name"], [qw(where -s ring -n), "\@./$name", 'x'], [qw(balance -s ring -n 2 -q -k), 'file:path=' . "./$name" =~ s/([,\\])/\\$1/gr], [qw(hash x -o), "./$name.out"]) {
        my ($s, $o, $e) = run(@$way);
        $failed .= "@$way: $s $e" if $s != 0 || $e ne '';
    }
    $failed .= 'no output file' unless slurp("./$name.out") =~ /^x,/m;
    is($failed, '', "a file named '$kind' is read and written");
    unlink "./$name", "./$name.out";
}
my @lost = qw(escape c1 turned invalid lines ticks format long);
mkdir 'data';
for my $kind (@lost) {
    my $name = "none/$text{$kind}";
    my $spec = 'file:path=' . $name =~ s/([,\\])/\\$1/gr;
    refused("a file that is not there, '$kind': @$_[0 .. 1]", @$_) for [qw(hash -f), $name], [qw(where -s ring x -n), "\@$name"], [qw(where -s ring x -n), "\@nginx:$name"],
        [qw(balance -s ring -n 2 -k), $spec], [qw(hash x -o), $name], [qw(check -s ring -n 2 --against), $name], [qw(plan -s slots -n 2 --change +1 --load), $name],
        [qw(report -n 2 -o r --peers), $name], [qw(report -n 2 -o r --trace), $spec], [qw(report -n 2 -o), $name], [qw(cost -s ring -n 2 -o), $name], [qw(tune -s ring -n 3 --cost), "$name/x"];
    local $ENV{KEYSIM_DATA} = $name;
    refused("KEYSIM_DATA, '$kind'", 'incidents');
    refused("KEYSIM_DATA of the report, '$kind'", qw(report -n 2 -o r));
}

# --- mistakes ------------------------------------------------------------------------------------------------
# A quarter of the ways for each text, each way for a quarter of the texts.
my $turn = 0;
for my $kind (@short, 'long') {
    my $t = $text{$kind} =~ s/,/;/gr;
    my $n = 0;
    for my $words ( ["x$t"], [qw(help), "x$t"], [qw(list), "x$t"], [qw(hash a -H), "x$t"], [qw(where -n 3 a -s), "x$t"], [qw(where a -n 3 -s), "ring:x$t=1"],
        [qw(where a -n 3 -s), "ring:vnodes=x$t"], [qw(balance -s ring -n 3 -k), "x$t"], [qw(balance -s ring -n 3 -k), "user:count=x$t"], [qw(remap -s ring -n 3 --change), "-x$t"],
        [qw(remap -s ring -n 3 --change), "x$t=0"], [qw(where -s ring -n 3 a --seed), "x$t"], [qw(where -s ring -n 3 a --format), "x$t"], [qw(failure -s ring -n 3 --kill), "x$t"],
        [qw(tune -s ring -n 3 --target), "x$t"], [qw(plan -s slots -n 3 --change +1 --rate), "x$t"], [qw(where -s ring -n 3 --find), "x$t"], [qw(hash -H identity --), "x$t"],
        [qw(where -s ring -n 3), "--x$t"], [qw(cache -s ring -n 3 --cache-items 3 --at), "x$t"], [qw(where -s ring a -n), "a=x$t"], [qw(incidents), "x$t"]) {
        refused("mistakes, '$kind': " . join(' ', @$words[0 .. $#$words - 1]), @$words) if $n++ % 4 == $turn || $kind eq 'long';
    }
    $turn = ($turn + 1) % 4;
}

# --- real configurations, and attributes ------------------------------------------------------------------------
spill('nutcracker.yml', qq(p:\n  listen: 127.0.0.1:1\n  hash: fnv1a_64\n  distribution: ketama\n  servers:\n   - "10.0.0.1:11211:1 a\\e[31m\\u202e<b>"\n   - "10.0.0.2:11211:1 `touch_CANARY`"\n));
spill('nginx.conf', "upstream u { hash \$uri consistent; server \"a\e[31m:80\"; server '`touch_CANARY`:80' ; }\n");
spill('haproxy.cfg', "backend b\n balance hdr(x)\n hash-type consistent\n server a\e[31m 10.0.0.1:80\n server `touch_CANARY` 10.0.0.2:80\n");
spill('ketama.servers', "10.0.0.1\e[31m:11211\t600\n10.0.0.2:11211\t300\n");
for my $file (['twemproxy', 'nutcracker.yml'], ['nginx', 'nginx.conf'], ['haproxy', 'haproxy.cfg'], ['ketama', 'ketama.servers']) {
    for my $way ([qw(where key --format table)], [qw(balance --per-node -k user:count=1k --format table)]) {
        ($status, $out, $err) = run(@$way, '-n', "\@$file->[0]:$file->[1]");
        ok(($status == 0 || ($status == 2 && $err =~ /\A[^\n]+\n\z/)) && is_harmless($out) && is_harmless($err), "$file->[0]: $way->[0] on a hostile configuration ($status)");
    }
}
spill('racks', join '', map { "n$_ 1 rack=" . percent($text{$short[$_]}) . ' dc=' . percent($text{$short[$_]}) . "\n" } 0 .. $#short);
for my $way ([qw(availability -s ring:vnodes=4 --replicas 3)], [qw(where -s cassandra:strategy=network --replicas 2 key)], ['where', '-s', 'cassandra:strategy=network,rf=x', 'key'], [qw(balance -s ring -k user:count=1k)]) {
    for my $format (qw(table csv json)) {
        ($status, $out, $err) = run(@$way, qw(-n @racks --percent --format), $format);
        ok(($status == 0 || ($status == 2 && $err =~ /\A[^\n]+\n\z/)) && is_harmless($out) && is_harmless($err), "@$way[0, 2]: hostile racks, $format ($status)");
    }
}
spill('attribute', "a 1 x\e[31m`=1\n");
refused('an attribute that nobody knows', qw(where -s ring -n @attribute a));

# --- 64 KB ----------------------------------------------------------------------------------------------------------
for my $way (['ring', "$long,b"], ["ring:label=$long\{node}#{i}", 3], ["bounded:over=ring:label=$long\{node}#{i}", 3]) {
    for my $format (qw(table csv json)) {
        ($status, $out, $err) = run(qw(balance -k user:count=1k --format), $format, '-s', $way->[0], '-n', $way->[1]);
        ok(($status == 0 && is_harmless($out)) || ($status == 2 && $err =~ /\A[^\n]+\n\z/), 'balance, ' . substr($way->[0], 0, 24) . " on 64 KB, $format ($status)");
    }
}
($status, $out) = run(qw(hash --percent --), '%41' x 30000);
is("$status " . (records($out))[1][0], '0 ' . 'A' x 30000, 'a long key, percent-decoded');
($status, $out, $err) = run(qw(balance -s ring -n 3 -k), "user:count=10,prefix=$long");
ok($status == 0 || ($status == 2 && $err =~ /\A[^\n]+\n\z/), "a workload's prefix of 64 KB ($status)");
($status, $out, $err) = run(qw(remap -s ring -n 3 -k user:count=10 --change), "+$long");
is($status, 0, 'a newcomer with a name of 64 KB');

ok(!-e 'CANARY', 'nothing that was text was run');
done_testing;
