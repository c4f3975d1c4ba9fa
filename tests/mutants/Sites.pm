package Sites;

# Where a C source can be broken, and how: sites($text) gives a list of {at, length, new, op, function}, each the replacement of a few bytes of
# one line; function: which it stands in, '' in a table at file scope.
#
# Knows as much of C as this takes: what is comment, text or directive; where a function's statements begin; which operators stand between two
# operands, and that fmin(a, b) is fmin(b, a). What it takes for a site and is none does not compile, and that is noticed later.
use strict;
use warnings;

my %swap = (
    '<' => '<=', '<=' => '<', '>' => '>=', '>=' => '>', '==' => '!=', '!=' => '==', '&&' => '||', '||' => '&&',
    '+' => '-', '-' => '+', '*' => '/', '/' => '*', '%' => '/', '<<' => '>>', '>>' => '<<', '&' => '|', '|' => '&', '^' => '|',
    '+=' => '-=', '-=' => '+=', '*=' => '/=', '/=' => '*=', '|=' => '&=', '&=' => '|=', '^=' => '|=', '<<=' => '>>=', '>>=' => '<<=',
);
my $type = qr/^(?:const|static|struct|enum|union|unsigned|signed|int|long|short|char|bool|double|float|void|size_t|ssize_t|sum128|FILE|\w+_t|point_sink)$/;
my $keyword = qr/^(?:if|for|while|do|switch|case|default|goto|else|return|sizeof|break|continue)$/;

# Calls whose arguments may stand either way; offsetof's may not, but that is no mutant.
my $either_way = qr/^(?:offsetof|mem_alloc|fmin|fmax|_mm\d*_(?:add|mul|and|or|xor|min|max)_\w+)$/;

# The text with comments, strings and directives as blanks, so that all else stays in its place.
sub code_of {
    my ($text) = @_;
    my $blank = sub { my $s = shift; $s =~ s/[^\n]/ /g; $s };
    $text =~ s{(/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')}{ my $s = $1; $s =~ m{^["']} ? '"' . $blank->(substr $s, 2) . '"' : $blank->($s) }gse;
    $text =~ s{^([ \t]*#(?:[^\n]*\\\n)*[^\n]*)}{ $blank->($1) }gme;
    $text =~ s{(\b(?:_S|s)tatic_assert\s*\([^;]*;)}{ $blank->($1) }gse;
    return $text;
}

sub tokens_of {
    my ($code) = @_;
    my @token;
    while ($code =~ m{\G\s*(?:([A-Za-z_]\w*)|(0[xX][0-9a-fA-F]+\w*|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\w*)|(<<=|>>=|->|\+\+|--|\.\.\.|<<|>>|[-+*/%&|^<>=!]=|&&|\|\||\S))}gc) {
        push @token, {text => $1 // $2 // $3, kind => defined $1 ? 'word' : defined $2 ? 'number' : 'mark', at => $-[1] // $-[2] // $-[3]};
    }
    return @token;
}

# Notes of each token: partner (of brackets), cast (a closing bracket of one), zone (of its statement): outside, members, function, list.
sub note_brackets {
    my (@token) = @_;
    my (@open, @zone, $function);
    my $first = 0; # of the statement at file scope
    for my $i (0 .. $#token) {
        my ($t, $before) = ($token[$i], $i ? $token[$i - 1] : {text => ';'});
        $t->{zone} = $zone[-1] // 'outside';
        $function = '' unless @zone;
        if ($t->{text} eq '{') {
            my $inner = @zone ? $zone[-1] : $before->{text} eq ')' ? 'function' : $before->{text} eq '=' ? 'list' : $token[$first]{text} eq 'enum' ? 'list' : 'members';
            $inner = 'list' if @zone && ($before->{text} =~ /^[=,(\[]$/ || $before->{cast} || $before->{text} =~ /^(?:return|enum)$/);
            $function = $before->{call} if !@zone && $inner eq 'function';
            push @zone, $inner;
            $t->{zone} = $inner;
        }
        $t->{function} = $function;
        pop @zone if $t->{text} eq '}';
        $first = $i + 1 if !@zone && $t->{text} =~ /^[;}]$/;
        push @open, $i if $t->{text} =~ /^[(\[]$/;
        next unless $t->{text} =~ /^[)\]]$/ && @open;
        my $o = pop @open;
        @{$t}{qw(partner call)} = ($o, $o && $token[$o - 1]{kind} eq 'word' ? $token[$o - 1]{text} : '');
        $token[$o]{partner} = $i;
        my @inside = @token[$o + 1 .. $i - 1];
        $t->{cast} = !$t->{call} && @inside && $inside[0]{text} =~ $type && !grep { $_->{kind} eq 'number' } @inside;
    }
}

# Notes of each token: starts (a statement), declares (left of the = of a declaration).
sub note_statements {
    my (@token) = @_;
    my ($depth, $declares) = (0, 1);
    for my $i (0 .. $#token) {
        my ($t, $before) = ($token[$i], $i ? $token[$i - 1] : {text => ';', call => ''});
        my $head = $before->{text} eq ')' && $before->{call} =~ /^(?:if|for|while|switch)$/;
        my $counter = $before->{text} eq '(' && $i > 1 && $token[$i - 2]{text} eq 'for';
        my $block = $before->{text} =~ /^[;{}]$/ && $t->{zone} ne 'list' || $before->{text} =~ /^(?:else|do)$/ || $before->{text} eq ':' && !$before->{choice};
        $t->{starts} = $t->{zone} eq 'function' && ($head || $block && !$depth);
        $declares = $t->{text} =~ $type || $t->{zone} =~ /outside|members/ if $t->{starts} || $counter || $t->{zone} =~ /outside|members/ && $block;
        $declares = 0 if $t->{text} eq '=' || $t->{zone} eq 'list';
        $t->{declares} = $declares;
        $depth++ if $t->{text} =~ /^[(\[]$/;
        $depth-- if $t->{text} =~ /^[)\]]$/;
        $t->{choice} = 1 if $t->{text} eq ':' && $t->{zone} ne 'outside' && (grep { $_->{text} eq '?' } @token[($i > 60 ? $i - 60 : 0) .. $i]);
    }
}

sub bigger { # NUMBER
    my ($digits, $suffix) = $_[0] =~ /^(0[xX][0-9a-fA-F]+|[\d.]+(?:[eE][-+]?\d+)?)(\w*)$/ or return;
    return "($digits + 1)$suffix" if $digits =~ /[.]|^\d.*[eE]/ && $digits !~ /^0[xX]/;
    no warnings 'portable';
    my $n = $digits =~ /^0[xX]/ ? hex $digits : int $digits;
    $n = $n == ~0 ? $n - 1 : $n + 1;
    return ($digits =~ /^0[xX]/ ? sprintf '0x%x', $n : sprintf '%u', $n) . $suffix;
}

# The arguments of the call that opens at token o: pairs of first and last token.
sub arguments {
    my ($o, @token) = @_;
    my (@list, $from);
    $from = $o + 1;
    for (my $i = $from; $i <= $token[$o]{partner}; $i++) {
        if ($token[$i]{text} eq ',' || $i == $token[$o]{partner}) {
            push @list, [$from, $i - 1] if $i > $from;
            $from = $i + 1;
        }
        $i = $token[$i]{partner} // $i if $token[$i]{text} =~ /^[(\[]$/;
        if ($token[$i]{text} eq '{') { # a list's commas are its own
            for (my $deep = 1; $deep && $i < $token[$o]{partner};) { $i++; $deep += ($token[$i]{text} eq '{') - ($token[$i]{text} eq '}') }
        }
    }
    return @list;
}

sub operand_ends { # TOKEN: whether an operator after it has a left side
    my ($t) = @_;
    return $t->{kind} eq 'number' || $t->{text} eq ']' || $t->{text} eq ')' && !$t->{cast} || $t->{kind} eq 'word' && $t->{text} !~ $keyword;
}

sub sites {
    my ($text) = @_;
    my @token = tokens_of(code_of($text));
    note_brackets(@token);
    note_statements(@token);
    my (@site, $function);
    my $end = sub { my $t = shift; $t->{at} + length $t->{text} };
    my $add = sub {
        my ($op, $at, $stop, $new) = @_;
        my $old = substr $text, $at, $stop - $at;
        push @site, {op => $op, at => $at, length => $stop - $at, new => $new, function => $function} if $old ne $new && $old !~ /\n/;
    };
    for my $i (1 .. $#token - 1) {
        my ($t, $before, $next) = @token[$i, $i - 1, $i + 1];
        my $word = $t->{text};
        $function = $t->{function};
        next if $t->{zone} =~ /outside|members/;
        if ($t->{starts} && $word !~ $type && $t->{zone} eq 'function') {
            my $j = $i;
            while ($j < $#token && $token[$j]{text} ne ';') { $j = $token[$j]{partner} // $j if $token[$j]{text} =~ /^[(\[]$/; $j++ }
            next if $j > $#token;
            $add->('statement removed', $t->{at}, $end->($token[$j]), ';') if $word !~ $keyword || $word =~ /^(?:break|continue)$/ || $word eq 'return' && $before->{text} eq ')';
            if ($word eq 'return' && $j > $i + 1) {
                my $value = substr $text, $next->{at}, $token[$j]{at} - $next->{at};
                $add->('return value', $next->{at}, $token[$j]{at}, $value =~ /^(?:0|false)$/ ? 1 : 0);
            }
        }
        next if $t->{declares} || !defined $next->{text};
        if ($t->{kind} eq 'number') {
            my $new = bigger($word);
            $add->('constant', $t->{at}, $end->($t), $new) if defined $new;
        } elsif ($word eq '!' && $t->{kind} eq 'mark') {
            $add->('negation dropped', $t->{at}, $next->{at}, '');
        } elsif ($swap{$word} && operand_ends($before)) {
            $add->('operator', $t->{at}, $end->($t), $swap{$word});
            $add->('one less or more', $t->{at}, $end->($next), '') if $word =~ /^[-+]$/ && $next->{text} eq '1';
        } elsif ($word eq '(' && $before->{kind} eq 'word' && $before->{text} !~ $keyword && $before->{text} !~ $either_way && $t->{partner}) {
            my @arg = arguments($i, @token);
            for my $k (1 .. $#arg) {
                my ($a, $b, $c, $d) = map { @{$_} } @arg[$k - 1, $k];
                my ($stop_a, $at_b, $stop) = ($end->($token[$b]), $token[$c]{at}, $end->($token[$d]));
                my $at = $token[$a]{at};
                $add->('arguments swapped', $at, $stop, substr($text, $at_b, $stop - $at_b) . substr($text, $stop_a, $at_b - $stop_a) . substr($text, $at, $stop_a - $at));
            }
        }
    }
    return @site;
}

1;
