//! Messages that once led astray: their words, and where they stand.

use super::*;

#[test]
fn a_fraction_as_the_words_of_a_link_is_told_as_that() {
    expect(
        "[1/2](value:1/2)",
        (13, 2),
        "expected one number as the words of the link, found `1/2`",
        "write it with a point, such as 0.5",
    );
}

#[test]
fn what_belongs_into_the_front_matter_is_sent_there() {
    expect(
        "```set\nminutes = 5\n```",
        (14, 11),
        "`minutes` stands in the front matter, not among settings",
        "write minutes = … between the lines of +++",
    );
    expect(
        "[r](set:rig=head)",
        (13, 13),
        "`rig` is what a lesson, a step or a viewport stands on",
        "in a `set` block of a step",
    );
}
