#!/usr/bin/perl
# A bot in Perl, with the JSON::PP that comes with it: it plays any legal action.
#
#     python evaluate.py "cmd:perl examples/bots/random_bot.pl" --against greedy
use strict;
use warnings;
use JSON::PP;

$| = 1;    # each answer is sent at once
my $json = JSON::PP->new->canonical;

sub send_message { print $json->encode({@_}), "\n" }

while (my $line = <STDIN>) {
    my $message = $json->decode($line);
    if ($message->{type} eq 'hello') {
        send_message(type => 'hello', protocol => 1, name => 'random bot');
    }
    elsif ($message->{type} eq 'start') {
        srand($message->{seed} % 2**32);
    }
    elsif ($message->{type} eq 'decision') {
        my @actions = @{ $message->{actions} };
        send_message(
            type     => 'answer',
            game     => $message->{game},
            decision => $message->{decision},
            action   => $actions[ rand @actions ]{id},
        );
    }
    elsif ($message->{type} eq 'fault') {
        print STDERR "game $message->{game} is lost: $message->{message}\n";
    }
}
