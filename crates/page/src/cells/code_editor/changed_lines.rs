//! Which lines of a text are not the page's own.

use std::collections::BTreeSet;

/// Beyond so many pairs of lines, all between the first and the last that differ
/// count as changed.
const MOST_PAIRS: usize = 250_000;

/// Lines of `text`, from 1, that are not in the longest common sequence with
/// `own`.
pub(in crate::cells) fn changed_lines(own: &str, text: &str) -> BTreeSet<usize> {
    let (own, text): (Vec<&str>, Vec<&str>) = (own.lines().collect(), text.lines().collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let before = own.iter().zip(&text).take_while(same).count();
    let (own_left, text_left) = (&own[before..], &text[before..]);
    let backwards = own_left.iter().rev().zip(text_left.iter().rev());
    let after = backwards.take_while(same).count();
    let own = &own_left[..own_left.len() - after];
    let text = &text_left[..text_left.len() - after];
    let all = before + 1..=before + text.len();
    if own.len() * text.len() > MOST_PAIRS {
        return all.collect();
    }
    let kept = common(own, text);
    all.filter(|line| !kept.contains(&(line - before - 1))).collect()
}

/// Indices into `text` of the longest sequence that it has in common with `own`.
fn common(own: &[&str], text: &[&str]) -> BTreeSet<usize> {
    // By what is left of both: how long it is at most.
    let wide = text.len() + 1;
    let mut length = vec![0_u32; (own.len() + 1) * wide];
    for a in (0..own.len()).rev() {
        for b in (0..text.len()).rev() {
            length[a * wide + b] = if own[a] == text[b] {
                length[(a + 1) * wide + b + 1] + 1
            } else {
                length[(a + 1) * wide + b].max(length[a * wide + b + 1])
            };
        }
    }
    let (mut a, mut b, mut kept) = (0, 0, BTreeSet::new());
    while a < own.len() && b < text.len() {
        if own[a] == text[b] {
            kept.insert(b);
            (a, b) = (a + 1, b + 1);
        } else if length[(a + 1) * wide + b] >= length[a * wide + b + 1] {
            a += 1;
        } else {
            b += 1;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(own: &str, text: &str) -> Vec<usize> {
        changed_lines(own, text).into_iter().collect()
    }

    #[test]
    fn lines_that_are_new_or_other_are_changed_and_no_others() {
        let own = "a\nb\nc\nd\n";
        assert!(changed(own, own).is_empty() && changed(own, "").is_empty());
        assert_eq!(changed(own, "a\nB\nc\nd\n"), [2]);
        assert_eq!(changed(own, "a\nb\nnew\nc\nd\n"), [3]);
        assert!(changed(own, "a\nd\n").is_empty(), "what is gone has no line");
        assert_eq!(changed(own, "x\na\nB\nc\nD\n"), [1, 3, 5]);
        assert_eq!(changed("", "a\nb"), [1, 2]);
    }

    #[test]
    fn very_long_texts_are_not_compared_line_by_line() {
        let numbers = |from: u32| {
            let lines: Vec<String> = (from..from + 600).map(|line| line.to_string()).collect();
            lines.join("\n")
        };
        let (own, text) = (numbers(0), numbers(1));
        assert_eq!(changed(&own, &text).len(), 600);
    }
}
