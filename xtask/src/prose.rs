//! Figures of the lessons' prose: how long they are, where nothing is asked, and the
//! paragraphs that are hardest to read.

use std::fs;

use crate::process::root;

/// Cells that ask something of the reader.
const TASKS: [&str; 6] = ["ask", "predict", "check", "chain", "faults", "engine-numbers"];
/// Words of other English, or second words for one thing, with better ones. None of
/// them stands in the lessons: a house rule.
pub const REFUSED: [(&str, &str); 12] = [
    (" is told", "the page shows, we explain"),
    (" are told", "the page shows, we explain"),
    ("frame of ", "axes of, space of; a frame is a moment of an animation"),
    (" shall ", "let, will"),
    (" made unit", "normalised"),
    (" has a say", "has an effect"),
    (" another than", "other than"),
    ("place in the list", "index, entry"),
    ("what is no ", "what is not a"),
    ("simply ", "nothing"),
    ("of course", "nothing"),
    ("! ", "a full stop"),
];
/// Words that have another meaning as well, in which they may stand.
const HARD: [(&str, &str); 5] = [
    (" stands", "is"),
    (" stand ", "are"),
    (" lies ", "is"),
    (" otherwise", "differently; else"),
    ("goes along", "moves with it"),
];
/// How many of the worst are printed.
const WORST: usize = 20;

struct Paragraph {
    at: String,
    text: String,
    words_a_sentence: f64,
    hard: Vec<&'static str>,
}

/// Prints a line a lesson, and the worst paragraphs.
pub fn print() -> Result<(), String> {
    let mut folders: Vec<_> = fs::read_dir(root().join("lessons"))
        .map_err(|why| format!("lessons: {why}"))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.join("lesson.md").is_file())
        .collect();
    folders.sort_by_key(|path| number(&path.file_name().unwrap_or_default().to_string_lossy()));
    println!("{:24} steps without a task  words  minutes by count  words a sentence", "lesson");
    let mut all: Vec<Paragraph> = Vec::new();
    let mut sums = [0; 5];
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(folder.join("lesson.md"));
        let text = text.map_err(|why| format!("{name}: {why}"))?;
        let paragraphs = paragraphs(&name, &text);
        let [steps, bare] = steps(&text);
        let words = paragraphs.iter().map(|one| words(&one.text)).sum();
        let minutes = text.lines().find_map(|line| line.strip_prefix("minutes = ")?.parse().ok());
        let minutes: usize = minutes.unwrap_or(0);
        let count = minutes_by_count(&text).round() as usize;
        let mean_words = mean(&paragraphs);
        println!("{name:24} {steps:5} {bare:14} {words:6} {minutes:8} {count:8} {mean_words:17.1}");
        for (sum, one) in sums.iter_mut().zip([steps, bare, words, minutes, count]) {
            *sum += one;
        }
        all.extend(paragraphs);
    }
    let [steps, bare, words, minutes, count] = sums;
    let mean_words = mean(&all);
    println!(
        "{:24} {steps:5} {bare:14} {words:6} {minutes:8} {count:8} {mean_words:17.1}\n",
        "all"
    );
    let weight = |one: &Paragraph| one.words_a_sentence + 8.0 * one.hard.len() as f64;
    all.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    for Paragraph { at, text, words_a_sentence, hard } in all.iter().take(WORST) {
        println!("{at}: {words_a_sentence:.0} words a sentence; {}", hard.join(", "));
        println!("    {}", text.chars().take(160).collect::<String>());
    }
    Ok(())
}

fn number(folder: &str) -> u32 {
    folder.split('-').next().and_then(|number| number.parse().ok()).unwrap_or(u32::MAX)
}

/// Steps, and those of them in which nothing is asked.
fn steps(text: &str) -> [usize; 2] {
    let steps: Vec<&str> = text.split("\n## ").skip(1).collect();
    let asks = |step: &&&str| {
        let mut fences = step.lines().filter_map(|line| line.strip_prefix("```"));
        fences.any(|fence| TASKS.contains(&fence.split(' ').next().unwrap_or_default()))
    };
    [steps.len(), steps.len() - steps.iter().filter(asks).count()]
}

/// What a lesson takes: 140 words a minute, of questions all but their replies; 25 lines
/// of a program a minute; half a minute for a question, a minute more for an exercise;
/// a quarter to arrive at a step, an eighth for each value and link to try.
fn minutes_by_count(text: &str) -> f64 {
    let mut fence: Option<&str> = None;
    let mut minutes = 0.25 * text.split("\n## ").skip(1).count() as f64;
    for line in text.split_once("\n## ").map_or("", |(_, steps)| steps).lines() {
        if let Some(rest) = line.strip_prefix("```") {
            let begun = rest.split(' ').next().filter(|_| fence.is_none());
            fence = begun;
            let kind = begun.unwrap_or_default();
            minutes += if TASKS.contains(&kind) { 0.5 } else { 0.0 };
            minutes += if ["check", "chain"].contains(&kind) { 1.0 } else { 0.0 };
            continue;
        }
        minutes += match fence {
            None => words(&plain(line)) as f64 / 140.0,
            Some(kind) if TASKS.contains(&kind) => 0.4 * words(line) as f64 / 140.0,
            Some("rust" | "glsl" | "js") => 1.0 / 25.0,
            Some(_) => 0.0,
        };
        let tries = line.matches("(param:").count() + line.matches("(set:").count();
        minutes += tries as f64 / 8.0;
    }
    minutes
}

/// Running text, without blocks, headings and formulas of their own; links by their words.
fn paragraphs(lesson: &str, text: &str) -> Vec<Paragraph> {
    let mut out = Vec::new();
    let mut is_open = true;
    for (index, line) in text.lines().enumerate() {
        if line.starts_with("```") || line == "+++" {
            is_open = !is_open;
            continue;
        }
        let is_prose = line.starts_with(|c: char| c.is_alphabetic() || "*[1-9-".contains(c));
        if !is_open || !is_prose {
            continue;
        }
        let text = plain(line);
        let sentences = text.split_inclusive(['.', '?', ':', ';']).filter(|one| words(one) > 1);
        let count = sentences.count().max(1);
        out.push(Paragraph {
            at: format!("{lesson}:{}", index + 1),
            words_a_sentence: words(&text) as f64 / count as f64,
            hard: REFUSED
                .iter()
                .chain(&HARD)
                .filter(|(word, _)| text.contains(word))
                .map(|&(word, _)| word)
                .collect(),
            text,
        });
    }
    out
}

/// The words of a line, links by their words.
pub fn plain(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("](") {
        out.push_str(&before.replace('[', ""));
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out.replace("**", "")
}

fn words(text: &str) -> usize {
    text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count()
}

fn mean(paragraphs: &[Paragraph]) -> f64 {
    let sentences = |one: &Paragraph| words(&one.text) as f64 / one.words_a_sentence.max(1.0);
    let all: f64 = paragraphs.iter().map(|one| words(&one.text) as f64).sum();
    all / paragraphs.iter().map(sentences).sum::<f64>().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_counted_from_words_tasks_and_tries() {
        let words = "word ".repeat(140);
        let text = format!("+++\n\n## A\n\n{words}\n\n[a](param:x)\n\n```check b\n```\n");
        let more = 1.0 / 140.0 + 1.0 / 8.0; // The link and its word.
        assert!((minutes_by_count(&text) - (0.25 + 1.0 + more + 1.5) - 1.0 / 140.0).abs() < 1e-9);
    }

    #[test]
    fn paragraphs_are_read_without_blocks_and_links() {
        let text = "+++\nminutes = 5\n+++\n\n## A\n\nOne [two](term:x). Three is told four.\n\n\
            ```ask a\nask = \"Not this\"\n```\n\n## B\n\nFive.\n";
        let read = paragraphs("l", text);
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].text, "One two. Three is told four.");
        assert_eq!((read[0].words_a_sentence, read[0].hard.len()), (3.0, 1));
        assert_eq!(steps(text), [2, 1]);
    }
}
