//! Statistics on the prose of the lessons: their length, steps without tasks, and the paragraphs
//! that are hardest to read.

use std::fs;

use crate::process::root;

/// Kinds of cells that are tasks for the reader.
const TASKS: [&str; 6] = ["ask", "predict", "check", "chain", "faults", "engine-numbers"];
/// Dialect, and synonyms of other terms, with better words. A house rule forbids them in the
/// lessons.
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
/// Dialect that is allowed in its ordinary sense.
const HARD: [(&str, &str); 5] = [
    (" stands", "is"),
    (" stand ", "are"),
    (" lies ", "is"),
    (" otherwise", "differently; else"),
    ("goes along", "moves with it"),
];
/// Number of paragraphs that are printed.
const PRINTED_PARAGRAPHS: usize = 20;

struct Paragraph {
    /// Lesson and line.
    location: String,
    text: String,
    words_per_sentence: f64,
    hard_words: Vec<&'static str>,
}

impl Paragraph {
    /// Higher for paragraphs that are harder to read.
    fn difficulty(&self) -> f64 {
        self.words_per_sentence + 8.0 * self.hard_words.len() as f64
    }
}

/// Prints a line for each lesson, and the paragraphs that are hardest to read.
pub fn print() -> Result<(), String> {
    let mut folders: Vec<_> = fs::read_dir(root().join("lessons"))
        .map_err(|why| format!("lessons: {why}"))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.join("lesson.md").is_file())
        .collect();
    // Their numbers have three digits, so this is also the order of the lessons.
    folders.sort();
    println!("{:24} steps without a task  words  minutes by count  words a sentence", "lesson");
    let mut all: Vec<Paragraph> = Vec::new();
    let mut sums = [0; 5];
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text =
            fs::read_to_string(folder.join("lesson.md")).map_err(|why| format!("{name}: {why}"))?;
        let paragraphs = parse_paragraphs(&name, &text);
        let [steps, bare] = count_steps(&text);
        let words = paragraphs.iter().map(|paragraph| count_words(&paragraph.text)).sum();
        let minutes: usize = text
            .lines()
            .find_map(|line| line.strip_prefix("minutes = ")?.parse().ok())
            .unwrap_or(0);
        let count = estimate_minutes(&text).round() as usize;
        let mean_words = mean_words_per_sentence(&paragraphs);
        println!("{name:24} {steps:5} {bare:14} {words:6} {minutes:8} {count:8} {mean_words:17.1}");
        for (sum, value) in sums.iter_mut().zip([steps, bare, words, minutes, count]) {
            *sum += value;
        }
        all.extend(paragraphs);
    }
    let [steps, bare, words, minutes, count] = sums;
    let mean_words = mean_words_per_sentence(&all);
    println!(
        "{:24} {steps:5} {bare:14} {words:6} {minutes:8} {count:8} {mean_words:17.1}\n",
        "all"
    );
    all.sort_by(|a, b| b.difficulty().total_cmp(&a.difficulty()));
    for paragraph in all.iter().take(PRINTED_PARAGRAPHS) {
        println!(
            "{}: {:.0} words a sentence; {}",
            paragraph.location,
            paragraph.words_per_sentence,
            paragraph.hard_words.join(", ")
        );
        println!("    {}", paragraph.text.chars().take(160).collect::<String>());
    }
    Ok(())
}

/// Counts the steps, and the steps without a task.
fn count_steps(text: &str) -> [usize; 2] {
    let mut step_count = 0;
    let mut without_task_count = 0;
    for step in text.split("\n## ").skip(1) {
        let has_task = step
            .lines()
            .filter_map(|line| line.strip_prefix("```"))
            .any(|fence| TASKS.contains(&fence.split(' ').next().unwrap_or_default()));
        step_count += 1;
        without_task_count += usize::from(!has_task);
    }
    [step_count, without_task_count]
}

/// Estimates the duration of a lesson in minutes: 140 words per minute, of which 40% count in
/// tasks, because of their replies; 25 lines of code per minute; half a minute for a task, and one
/// more for an exercise; a quarter for each step; an eighth for each link that changes a value.
fn estimate_minutes(text: &str) -> f64 {
    let mut fence: Option<&str> = None;
    let mut minutes = 0.25 * text.split("\n## ").skip(1).count() as f64;
    for line in text.split_once("\n## ").map_or("", |(_, steps)| steps).lines() {
        if let Some(rest) = line.strip_prefix("```") {
            // A second fence closes the block.
            fence = rest.split(' ').next().filter(|_| fence.is_none());
            let kind = fence.unwrap_or_default();
            minutes += if TASKS.contains(&kind) { 0.5 } else { 0.0 };
            minutes += if ["check", "chain"].contains(&kind) { 1.0 } else { 0.0 };
            continue;
        }
        minutes += match fence {
            None => count_words(&plain(line)) as f64 / 140.0,
            Some(kind) if TASKS.contains(&kind) => 0.4 * count_words(line) as f64 / 140.0,
            Some("rust" | "glsl" | "js") => 1.0 / 25.0,
            Some(_) => 0.0,
        };
        let tries = line.matches("(param:").count() + line.matches("(set:").count();
        minutes += tries as f64 / 8.0;
    }
    minutes
}

/// Parses the running text, without blocks, headings and display formulas. Links are replaced by
/// their text.
fn parse_paragraphs(lesson: &str, text: &str) -> Vec<Paragraph> {
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
        let sentence_count = text
            .split_inclusive(['.', '?', ':', ';'])
            .filter(|sentence| count_words(sentence) > 1)
            .count()
            .max(1);
        out.push(Paragraph {
            location: format!("{lesson}:{}", index + 1),
            words_per_sentence: count_words(&text) as f64 / sentence_count as f64,
            hard_words: REFUSED
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

/// Removes the markup of a line. Links are replaced by their text.
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

fn count_words(text: &str) -> usize {
    text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count()
}

fn mean_words_per_sentence(paragraphs: &[Paragraph]) -> f64 {
    let mut word_count = 0.0;
    let mut sentence_count = 0.0;
    for paragraph in paragraphs {
        let words = count_words(&paragraph.text) as f64;
        word_count += words;
        sentence_count += words / paragraph.words_per_sentence.max(1.0);
    }
    word_count / f64::max(sentence_count, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_estimated_from_words_tasks_and_links() {
        let words = "word ".repeat(140);
        let text = format!("+++\n\n## A\n\n{words}\n\n[a](param:x)\n\n```check b\n```\n");
        let link = 1.0 / 140.0 + 1.0 / 8.0;
        let expected = 0.25 + 1.0 + link + 1.5 + 1.0 / 140.0;
        assert!((estimate_minutes(&text) - expected).abs() < 1e-9);
    }

    #[test]
    fn paragraphs_are_parsed_without_blocks_and_links() {
        let text = "+++\nminutes = 5\n+++\n\n## A\n\nOne [two](term:x). Three is told four.\n\n\
            ```ask a\nask = \"Not this\"\n```\n\n## B\n\nFive.\n";
        let paragraphs = parse_paragraphs("l", text);
        assert_eq!(paragraphs.len(), 2);
        assert_eq!(paragraphs[0].text, "One two. Three is told four.");
        assert_eq!((paragraphs[0].words_per_sentence, paragraphs[0].hard_words.len()), (3.0, 1));
        assert_eq!(count_steps(text), [2, 1]);
    }
}
